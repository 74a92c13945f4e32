// The address of the page: behind #, a path and parameters, which hold all state of a page.

import { computed, signal } from "@preact/signals";

export interface Route {
	/** The name of the page, such as "calls". */
	page: string;
	/** The parts of the path after it. */
	rest: string[];
	query: URLSearchParams;
}

export type Parameters = Record<string, string | number | boolean | string[] | undefined | null>;

const hash = signal(location.hash);
addEventListener("hashchange", () => (hash.value = location.hash));

/** The present address. */
export const route = computed<Route>(() => parse(hash.value));

export function parse(text: string): Route {
	const [path = "", query = ""] = text.replace(/^#?\/?/, "").split(/\?(.*)/s);
	const [page = "", ...rest] = path.split("/").map(decode);
	return { page, rest, query: new URLSearchParams(query) };
}

function decode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text; // an address that somebody typed
	}
}

/** The address of a page. Parameters that are empty, false or undefined are left out. */
export function link(path: string | string[], parameters: Parameters = {}): string {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters)) {
		for (const v of Array.isArray(value) ? value : [value]) {
			if (v !== undefined && v !== null && v !== "" && v !== false) query.append(name, String(v));
		}
	}
	const text = query.toString();
	const parts = typeof path === "string" ? path : path.map(encodeURIComponent).join("/");
	return `#/${parts}${text === "" ? "" : `?${text}`}`;
}

/** Leads to an address. With replace, going back skips the present one. */
export function go(to: string, { replace = false } = {}): void {
	if (replace) {
		history.replaceState(null, "", to);
		hash.value = to;
	} else {
		location.hash = to;
	}
}

/** Changes parameters of the present address; undefined or empty ones go. */
export function adjust(changes: Parameters, { replace = false } = {}): void {
	const { page, rest, query } = route.peek();
	const all: Parameters = {};
	for (const name of new Set(query.keys())) all[name] = query.getAll(name);
	go(link([page, ...rest], { ...all, ...changes }), { replace });
}
