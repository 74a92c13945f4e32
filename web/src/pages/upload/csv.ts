// Metadata from a CSV file: a row for each recording, found by its name in the column "file". The columns are paths of
// metadata, as "parley submit --metadata-csv" takes them.

import type { Json } from "./config";
import { put } from "./config";

const person = ["externalId", "fullName", "email", "phone"];
const known = [
	...["title", "description", "externalId", "externalVersion"],
	...["callDirection", "callStartTime", "ani", "dnis"].map((n) => `callDetails.${n}`),
	...["agent", "agentSupervisor", "agentManager", "caller"].flatMap((who) => person.map((n) => `callDetails.${who}.${n}`)),
];

export interface Table {
	/** Metadata by the file name in the row, in the order of the rows. */
	rows: Map<string, Json>;
	mistakes: string[];
}

/** Reads a table; mistakes name line and column. */
export function read(text: string): Table {
	const table: Table = { rows: new Map(), mistakes: [] };
	const lines = records(text.replace(/^\uFEFF/, ""), table.mistakes);
	const head = lines.shift()?.cells.map((c) => c.trim()) ?? [];
	const file = head.findIndex((c) => c.toLowerCase() === "file");
	if (file < 0) table.mistakes.push("Line 1: no column “file”, with the names of the recordings.");
	head.forEach((path, i) => {
		if (i !== file && !known.includes(path) && !/^extended\.[^.]+$/.test(path)) {
			table.mistakes.push(`Line 1: the column “${path}” is no path of metadata; your own fields begin with extended.`);
		}
		if (head.indexOf(path) !== i) table.mistakes.push(`Line 1: the column “${path}” is there twice.`);
	});
	if (table.mistakes.length > 0) return table;
	for (const { line, cells } of lines) {
		if (cells.length !== head.length) {
			table.mistakes.push(`Line ${line}: ${cells.length} cells, but ${head.length} columns.`);
			continue;
		}
		const name = cells[file]?.trim() ?? "";
		if (name === "") table.mistakes.push(`Line ${line}: the cell “file” is empty.`);
		if (table.rows.has(name)) table.mistakes.push(`Line ${line}: “${name}” has a row already.`);
		let metadata: Json = {};
		head.forEach((path, i) => {
			const cell = cells[i] ?? "";
			if (i !== file && cell !== "") metadata = put(metadata, path, cell);
		});
		table.rows.set(name, metadata);
	}
	return table;
}

/** The name of a path's last part: rows may name files in folders. */
export const base = (path: string): string => path.replaceAll("\\", "/").split("/").at(-1) ?? path;

interface Line {
	line: number;
	cells: string[];
}

/** The records of a CSV text (RFC 4180), separated by the sign that the first line has more of: comma, semicolon, tab. */
function records(text: string, mistakes: string[]): Line[] {
	const first = text.slice(0, text.search(/[\r\n]|$/));
	const counts = [",", ";", "\t"].map((s) => first.split(s).length);
	const separator = [",", ";", "\t"][counts.indexOf(Math.max(...counts))] ?? ",";
	const found: Line[] = [];
	let [cell, line, start, quoted] = ["", 1, 1, false];
	let cells: string[] = [];
	const end = () => {
		cells.push(cell);
		if (cells.length > 1 || cells[0] !== "") found.push({ line: start, cells });
		[cell, cells, start] = ["", [], line];
	};
	for (let i = 0; i < text.length; i++) {
		const c = text[i] ?? "";
		if (c === "\n") line++;
		if (quoted) {
			if (c !== '"') cell += c;
			else if (text[i + 1] === '"') cell += text[++i];
			else quoted = false;
		} else if (c === '"' && cell === "") quoted = true;
		else if (c === separator) {
			cells.push(cell);
			cell = "";
		} else if (c === "\n") end();
		else if (c !== "\r") cell += c;
	}
	if (quoted) mistakes.push(`Line ${start}: a quotation mark is not closed.`);
	if (cell !== "" || cells.length > 0) end();
	return found;
}
