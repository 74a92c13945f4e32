// A category as it is being written. Drafts stay while the tab is open.

import type { Category } from "../../kit/wire";

export interface Draft {
	name: string;
	query: string;
	description: string;
	notes: string;
	collection: string;
	tags: string;
	version: string;
}

export const drafts = new Map<string, Draft>();

export const empty = (condition: string): Draft => ({ name: "", query: condition, description: "", notes: "", collection: "", tags: "", version: "" });

export function draftOf(c: Category): Draft {
	return {
		name: c.categoryName,
		query: c.query,
		description: c.categoryDescription,
		notes: c.notes ?? "",
		collection: c.collectionName ?? "",
		tags: (c.tags ?? []).join(", "),
		version: c.version ?? "",
	};
}

/** The document that is saved: what is empty is left out. */
export function content(d: Draft) {
	const tags = d.tags.split(",").map((t) => t.trim()).filter((t) => t !== "");
	const some = (text: string) => (text.trim() === "" ? undefined : text.trim());
	return {
		query: d.query,
		categoryDescription: some(d.description),
		notes: some(d.notes),
		collectionName: some(d.collection),
		version: some(d.version),
		tags: tags.length > 0 ? tags : undefined,
	};
}

export const same = (a: Draft, b: Draft): boolean => JSON.stringify(a) === JSON.stringify(b);
