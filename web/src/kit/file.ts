// Files that the browser saves.

/** Saves a text or other contents under a name. */
export function saveAs(name: string, contents: Blob): void {
	const a = document.createElement("a");
	a.href = URL.createObjectURL(contents);
	a.download = name;
	a.click();
	setTimeout(() => URL.revokeObjectURL(a.href), 60_000);
}

/** Rows as a CSV file (RFC 4180). */
export function csv(rows: readonly (readonly unknown[])[]): Blob {
	return new Blob(rows.map((row) => `${row.map(cell).join(",")}\r\n`), { type: "text/csv" });
}

/** A cell of CSV. A text that a spreadsheet would take for a formula gets an apostrophe, as in exports of the server. */
function cell(value: unknown): string {
	if (value === null || value === undefined) return "";
	const text = typeof value === "string" && /^[\s=+\-@]/.test(value) ? `'${value}` : String(value);
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
