// What the address says of the list, and the request that it makes of it.

import { adjust, joined, type Route, zone } from "kit";
import type { ExplorationRequest } from "../../kit/wire";

/** The state of the list. */
export interface State {
	/** In the language of the search. */
	words: string;
	/** A condition of the query language. */
	where: string;
	/** Further conditions, which stand as chips. */
	chips: string[];
	/** Days or instants, both included; empty for no bound. */
	from: string;
	until: string;
	/** The facets that are open; undefined for the usual ones. */
	open?: string[];
}

export function read({ query }: Route): State {
	const words = query.get("words") ?? "";
	let where = query.get("where") ?? "";
	const chips = query.getAll("f");
	if (words !== "" && where !== "") {
		chips.unshift(where); // the bar has room for one
		where = "";
	}
	const open = query.getAll("open");
	return { words, where, chips, from: query.get("from") ?? "", until: query.get("until") ?? "", open: open.length > 0 ? open : undefined };
}

/** Changes the state in the address. */
export function change(s: Partial<State>, replace = false): void {
	const { chips, open, ...rest } = s;
	adjust({ ...rest, ...(chips && { f: chips }), ...(open && { open: open.length > 0 ? open : ["none"] }) }, { replace });
}

/** What is asked for, without the parts of the answer. */
export function asked(s: Pick<State, "words" | "where" | "chips" | "from" | "until">): ExplorationRequest {
	return {
		words: s.words || undefined,
		where: joined([s.where, ...s.chips]),
		from: s.from || undefined,
		until: s.until || undefined,
		zone,
	};
}

/** Reports whether the list is restricted. */
export const restricted = (s: State): boolean => s.words + s.where + s.from + s.until !== "" || s.chips.length > 0;
