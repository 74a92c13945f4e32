// JSON with numbers as they were written: 1.50 and 12345678901234567890 stay what they are.

interface Exact {
	rawJSON?: (text: string) => unknown;
	isRawJSON?: (value: unknown) => boolean;
}

const exact = JSON as unknown as Exact;

export type Tree = Record<string, unknown>;

/** Parses JSON. Throws SyntaxError. */
export function parse(text: string): unknown {
	const keep = (_: string, value: unknown, context?: { source?: string }): unknown =>
		typeof value === "number" && context?.source !== undefined && String(value) !== context.source && exact.rawJSON !== undefined
			? exact.rawJSON(context.source)
			: value;
	return JSON.parse(text, keep as (key: string, value: unknown) => unknown);
}

export const print = (value: unknown): string => JSON.stringify(value, null, 2);

/** Reports whether a value has properties of its own. */
const deep = (value: unknown): value is Tree =>
	typeof value === "object" && value !== null && !Array.isArray(value) && !(exact.isRawJSON?.(value) ?? false);

/** The value at a path; undefined where there is none. */
export function get(tree: unknown, path: readonly string[]): unknown {
	let at = tree;
	for (const key of path) at = deep(at) ? at[key] : undefined;
	return at;
}

/** A copy with another value at a path; undefined removes it. */
export function put(tree: unknown, path: readonly string[], value: unknown): Tree {
	const copy: Tree = deep(tree) ? { ...tree } : {};
	const [key = "", ...rest] = path;
	const next = rest.length === 0 ? value : put(copy[key], rest, value);
	if (next === undefined || (rest.length > 0 && deep(next) && Object.keys(next).length === 0)) delete copy[key];
	else copy[key] = next;
	return copy;
}

export interface Difference {
	path: string[];
	before: unknown;
	after: unknown;
}

/** Where two values differ, by path. */
export function differences(before: unknown, after: unknown, path: string[] = []): Difference[] {
	if (deep(before) && deep(after)) {
		return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
			differences(before[key], after[key], [...path, key]),
		);
	}
	return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
}
