// Completion from what the server knows: fields, values that occur, words that are said.

import { type CompletionContext, type CompletionResult, type Completion } from "codemirror";
import { ask, onceAMinute } from "kit";
import type { AnalyticSchema, FieldValues, Words } from "../../kit/wire";
import { functions, keywords, placeOf } from "./language";

/** The fields of the account. */
export const fields = onceAMinute(async () => (await ask<AnalyticSchema>("GET", "v3/analytics/schema", { silent: true })).fields);

/** Answers that were asked for lately: typing on asks for longer prefixes, deleting comes back. */
const kept = new Map<string, Promise<Completion[]>>();

function remembered(key: string, get: () => Promise<Completion[]>): Promise<Completion[]> {
	let found = kept.get(key);
	if (found === undefined) {
		found = get().catch(() => {
			kept.delete(key);
			return [];
		});
		if (kept.size > 200) kept.clear();
		kept.set(key, found);
	}
	return found;
}

/** Completes at the caret. */
export async function complete(context: CompletionContext): Promise<CompletionResult | null> {
	const place = placeOf(context.state.sliceDoc(Math.max(0, context.pos - 2000), context.pos));
	if (place === null || (place.prefix === "" && !context.explicit && place.kind === "name")) return null;
	const from = context.pos - place.prefix.length;
	switch (place.kind) {
		case "word": {
			const options = await remembered(`word ${place.prefix}`, () => said(place.prefix));
			return { from, options, filter: false };
		}
		case "value": {
			const options = await remembered(`value ${place.field} ${place.prefix}`, () => values(place.field, place.prefix, place.quoted));
			return { from, options, filter: false };
		}
		case "name":
			return { from, options: await names(), validFor: /^[\p{L}\p{N}_:."-]*$/u };
	}
}

const calls = (n: number) => `${n.toLocaleString()} ${n === 1 ? "call" : "calls"}`;

async function said(prefix: string): Promise<Completion[]> {
	const { words } = await ask<Words>("GET", "v3/analytics/words", { query: { prefix, limit: 20 }, silent: true });
	return words.map((w) => ({ label: w.word, detail: calls(w.calls), type: "text" }));
}

async function values(field: string, prefix: string, quoted: boolean): Promise<Completion[]> {
	const answer = await ask<FieldValues>("GET", "v3/analytics/values", { query: { field, prefix, limit: 20 }, silent: true });
	return answer.values.map((v) => {
		const text = String(v.value);
		const bare = typeof v.value !== "string" || quoted;
		return { label: text, apply: bare ? text : JSON.stringify(text), detail: calls(v.calls), type: "constant" };
	});
}

async function names(): Promise<Completion[]> {
	return [
		...(await fields().catch(() => [])).map((f): Completion => ({ label: f.field, detail: f.type, type: "property", boost: 1 })),
		...keywords.map((label): Completion => ({ label, type: "keyword" })),
		...functions.map(([label, detail]): Completion => ({ label, detail, type: "function" })),
	];
}
