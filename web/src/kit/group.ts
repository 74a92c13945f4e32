// Groups of calls: the columns of rows, and conditions that select the calls of a group.

export type GroupRow = Record<string, unknown>;

/** Whether a value of the API is a time or a day. */
export const isTime = (v: unknown): v is string => typeof v === "string" && /^\d{4}-\d{2}-\d{2}(T|$)/.test(v);

/** What rows of groups are by, and their figures. */
export interface Grouping {
	/** The column of the group; undefined where there is one row of figures alone. */
	by: string | undefined;
	time: boolean;
	figures: string[];
}

/** The columns of groups: the first text or time is what they are by, numbers are figures. */
export function grouping(rows: readonly GroupRow[]): Grouping {
	const names = Object.keys(rows[0] ?? {});
	const figures = names.filter((n) => rows.some((r) => typeof r[n] === "number") && rows.every((r) => r[n] == null || typeof r[n] === "number"));
	const by = names.find((n) => !figures.includes(n));
	return { by, time: by !== undefined && rows.some((r) => isTime(r[by])), figures };
}

const fieldPattern = String.raw`(?:[\p{L}_][\p{L}\p{N}_-]*|"[^"]*")(?:[:.](?:[\p{L}_][\p{L}\p{N}_-]*|"[^"]*"))*`;

/** A text as a part of a regular expression that stands for itself. */
const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** The field that a statement groups by first, where it is a field or the name of a column that is one. */
export function groupedField(statement: string): string | undefined {
	const by = new RegExp(`\\bgroup\\s+by\\s+(${fieldPattern})\\s*(?:$|,|;|order\\b|limit\\b|offset\\b)`, "iu").exec(statement.trim())?.[1];
	if (by === undefined) return undefined;
	const named = new RegExp(`(?:select|,)\\s*([^,]*?)\\s+as\\s+"?${escaped(by)}"?\\s*(?:,|from\\b)`, "iu").exec(statement);
	if (named === null) return by;
	return new RegExp(`^${fieldPattern}$`, "u").test(named[1] ?? "") ? named[1] : undefined;
}

/** The condition that a field has a value. */
export function hasValue(field: string, value: unknown): string {
	if (value === null || value === undefined) return `${field} IS NULL`;
	if (typeof value === "number" || typeof value === "boolean") return `${field} = ${value}`;
	return `${field} = "${String(value).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

/** All conditions; those that are missing or empty are left out. */
export function joined(conditions: readonly (string | undefined)[]): string | undefined {
	const all = conditions.filter((c) => c !== undefined && c.trim() !== "");
	return all.length > 1 ? all.map((c) => `(${c})`).join(" AND ") : all[0];
}

/** A figure of a group: whole numbers as they are, others with what decimals matter. */
export function figure(v: number): string {
	const digits = Number.isInteger(v) || Math.abs(v) >= 1000 ? 0 : Math.abs(v) >= 10 ? 1 : 3;
	return v.toLocaleString(undefined, { maximumFractionDigits: digits });
}
