// Names of fields, values and conditions as people read them. Conditions are those that facets print.

import { clock, share, words } from "kit";

const known: Record<string, string> = {
	length: "Length",
	language: "Language",
	"metrics:call-sentiment": "Sentiment",
	"metrics:agent-talk-ratio": "Agent’s share of talk",
	"metrics:caller-talk-ratio": "Caller’s share of talk",
	"metrics:silence-ratio": "Silence",
	"metrics:overtalk-ratio": "Overtalk",
};

/** A field's name without its space: "metadata:team" → "team". */
export function bare(field: string): string {
	const name = field.replace(/^\w+:/, "");
	return name.startsWith('"') ? unquoted(name) : name;
}

export function fieldLabel(field: string): string {
	return known[field] ?? (field.startsWith("metadata:") || field.startsWith("categories:") ? bare(field) : words(bare(field)));
}

/** A number of a field, with its unit. */
export function numberLabel(field: string, n: number): string {
	if (field === "length") return clock(n);
	if (/-ratio$/.test(field)) return share(n);
	if (/sentiment/.test(field)) return signed(n);
	return String(n);
}

/** 0.314 → "+0.31" */
export const signed = (n: number): string => `${n > 0 ? "+" : n < 0 ? "−" : ""}${Math.abs(n).toFixed(2)}`;

export function rangeLabel(field: string, from?: number, to?: number): string {
	if (from === undefined && to === undefined) return "all";
	if (from === undefined) return `below ${numberLabel(field, to as number)}`;
	if (to === undefined) return `${numberLabel(field, from)} or more`;
	const [low, high] = [numberLabel(field, from), numberLabel(field, to)];
	return low === high ? low : `${low} – ${high}`;
}

const unquoted = (text: string): string => text.replace(/^"(.*)"$/s, "$1").replace(/\\(.)/gs, "$1");

const [value, number] = [String.raw`("(?:[^"\\]|\\.)*"|-?[\d.eE+-]+|true|false)`, String.raw`(-?[\d.eE+-]+)`];
const equal = new RegExp(`^(\\S+|\\w+:"[^"]*") = ${value}$`, "is");
const within = new RegExp(`^(.+?) >= ${number} AND \\1 <=? ${number}$`);
const bound = new RegExp(`^(.+?) (>=|<=?) ${number}$`);
const none = /^(\S+|\w+:"[^"]*") IS NULL$/;

/** The field of a condition that a facet has printed; undefined for another one. */
export function fieldOf(condition: string): string | undefined {
	const text = /^NOT \((.*)\)$/s.exec(condition)?.[1] ?? condition;
	return [equal, within, bound, none].map((r) => r.exec(text)?.[1]).find((f) => f !== undefined);
}

export const negated = (condition: string): boolean => /^NOT \(.*\)$/s.test(condition);

/** What stands on the chip of a condition. */
export function chipLabel(condition: string): { not: boolean; field?: string; text: string } {
	const inner = /^NOT \((.*)\)$/s.exec(condition)?.[1];
	const [not, text] = [inner !== undefined, inner ?? condition];
	let m = equal.exec(text);
	if (m?.[1] !== undefined && m[2] !== undefined) {
		if (m[1].startsWith("categories:")) return { not: not !== (m[2] === "0"), field: "Category", text: bare(m[1]) };
		return { not, field: fieldLabel(m[1]), text: m[2].startsWith('"') ? unquoted(m[2]) : numberText(m[1], m[2]) };
	}
	m = none.exec(text);
	if (m?.[1] !== undefined) return { not, field: fieldLabel(m[1]), text: "without a value" };
	m = within.exec(text);
	if (m?.[1] !== undefined) return { not, field: fieldLabel(m[1]), text: rangeLabel(m[1], Number(m[2]), Number(m[3])) };
	m = bound.exec(text);
	if (m?.[1] === undefined) return { not, text };
	const n = Number(m[3]);
	return { not, field: fieldLabel(m[1]), text: m[2] === ">=" ? rangeLabel(m[1], n) : rangeLabel(m[1], undefined, n) };
}

const numberText = (field: string, text: string): string => (Number.isNaN(Number(text)) ? text : numberLabel(field, Number(text)));
