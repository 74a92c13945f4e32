// The query language for the editor: colours, and what can stand at a place.

import { HighlightStyle, StreamLanguage, syntaxHighlighting, tags } from "codemirror";

/** Keywords, as they are completed. */
export const keywords = [
	...["SELECT", "FROM media", "WHERE", "MATCH", "GROUP BY", "ORDER BY", "LIMIT", "OFFSET", "EXPLAIN", "AS", "ASC", "DESC"],
	...["AND", "OR", "NOT", "SAYS", "FOLLOWED BY", "WITHIN", "IN", "BETWEEN", "LIKE", "IS NULL", "IS NOT NULL", "SLOP"],
];

/** Functions, as they are completed, and what they give. */
export const functions: [string, string][] = [
	["hits()", "places where the condition holds"],
	["count(*)", "number of calls"],
	["sum()", "of a field"],
	["avg()", "of a field"],
	["min()", "of a field"],
	["max()", "of a field"],
	["median()", "of a field"],
	["percentile(field, 90)", "of a field"],
	["date_trunc('day', dateCreated)", "day, week or month"],
	["silence(10s)", "nobody speaks at least so long"],
	["overtalk(3s)", "two speak at once at least so long"],
];

const words = new Set("select from where match group by order limit offset explain as asc desc and or not says followed within in between like is null slop alter table define".split(" "));

interface State {
	comment: boolean;
}

export const language = StreamLanguage.define<State>({
	name: "vbql",
	startState: () => ({ comment: false }),
	token(stream, state) {
		if (state.comment || stream.match("/*")) {
			state.comment = !stream.match(/^.*?\*\//);
			if (state.comment) stream.skipToEnd();
			return "comment";
		}
		if (stream.match("--")) {
			stream.skipToEnd();
			return "comment";
		}
		if (stream.match(/^"(?:[^"\\]|\\.|"")*"?|^'(?:[^'\\]|\\.|'')*'?|^[“”][^“”]*[“”]?|^[‘’][^‘’]*[‘’]?/)) return "string";
		if (stream.match(/^-?\d+(?:\.\d+)?(?:ms|sec|s|min|m|%)?/)) return "number";
		if (stream.match(/^[\p{L}_][\p{L}\p{N}_-]*/u)) return words.has(stream.current().toLowerCase()) ? "keyword" : "variableName";
		if (stream.match(/^(?:&&|\|\||!=|<>|<=|>=|[!<>=*/])/)) return "operator";
		stream.next();
		return null;
	},
	languageData: { commentTokens: { line: "--", block: { open: "/*", close: "*/" } }, closeBrackets: { brackets: ["(", '"', "'", "["] } },
});

export const colours = syntaxHighlighting(
	HighlightStyle.define([
		{ tag: tags.keyword, color: "var(--accent)", fontWeight: "600" },
		{ tag: tags.string, color: "var(--speaker-2)" },
		{ tag: tags.number, color: "var(--speaker-1)" },
		{ tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
		{ tag: tags.operator, color: "var(--quiet)" },
	]),
);

/** What can stand at the end of a text: a spoken word, a value of a field, or a name. */
export type Place =
	| { kind: "word"; prefix: string }
	| { kind: "value"; field: string; prefix: string; quoted: boolean }
	| { kind: "name"; prefix: string };

const field = String.raw`[\p{L}_][\p{L}\p{N}_-]*(?:[:.](?:[\p{L}_][\p{L}\p{N}_-]*|"[^"]*"))*`;
const compared = new RegExp(`(${field})\\s*(?:=|!=|<>|NOT\\s+IN\\s*\\((?:[^()]*,)?|IN\\s*\\((?:[^()]*,)?|LIKE)\\s*(["']?)([^"']*)$`, "iu");
const spoken = /(?:SAYS|MATCH)\s*\(?(?:\s*"[^"]*"(?:\/\d+)?\s*(?:&&|\|\||AND|OR|!|NOT|\s)*\(?)*\s*"([^"]*)$/iu;
const name = /[\p{L}_][\p{L}\p{N}_:."-]*$/u;

/** The place at the end of what stands before the caret; null within comments and other texts. */
export function placeOf(before: string): Place | null {
	const text = before.replace(/--[^\n]*\n|\/\*[^]*?\*\//g, " ");
	const said = spoken.exec(text);
	if (said !== null) return { kind: "word", prefix: /[^\s"]*$/.exec(said[1] ?? "")?.[0] ?? "" };
	const value = compared.exec(text);
	if (value !== null) return { kind: "value", field: value[1] ?? "", quoted: value[2] !== "", prefix: value[3] ?? "" };
	if (((text.match(/"/g) ?? []).length) % 2 === 1) return null;
	return { kind: "name", prefix: name.exec(text)?.[0] ?? "" };
}
