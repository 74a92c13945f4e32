// The rows of the list, loaded page by page. They stay while one looks at a call, so that going back shows them at once.

import { ask, asFailure, type Failure, useEffect, useRef, useState } from "kit";
import type { Exploration, ExplorationRequest, ExploredRow } from "../../kit/wire";

/** How many rows a page has: few at first, so that they come soon. */
const [first, further] = [50, 100];

export interface List {
	key: string;
	rows: ExploredRow[];
	next?: string;
	/** Rows have come, perhaps none. */
	come: boolean;
	loading: boolean;
	failure?: Failure;
}

/** What was last shown: on coming back, the rows and the place in them. */
const kept: { list?: List; at: number; scroll: number } = { at: 0, scroll: 0 };

export function useList(asked: ExplorationRequest) {
	const key = JSON.stringify(asked);
	const [list, setList] = useState<List>(() => (kept.list?.key === key ? kept.list : { key, rows: [], come: false, loading: true }));
	const [round, setRound] = useState(0);
	const stop = useRef<AbortController | undefined>(undefined);
	const now = useRef(list);
	now.current = list;
	const load = async (before?: string) => {
		stop.current?.abort();
		const mine = (stop.current = new AbortController());
		setList((l) => (before === undefined && l.key !== key ? { key, rows: l.rows, come: l.come, loading: true } : { ...l, loading: true, failure: undefined }));
		try {
			const body = { ...asked, include: ["rows"], limit: before === undefined ? first : further, before };
			const found = await ask<Exploration>("POST", "v3/analytics/explore", { body, signal: mine.signal, silent: before !== undefined });
			if (mine.signal.aborted) return;
			setList((l) => ({ key, rows: [...(before === undefined ? [] : l.rows), ...(found.rows ?? [])], next: found.next, come: true, loading: false }));
		} catch (err) {
			if (!mine.signal.aborted) setList((l) => ({ ...l, key, rows: l.key === key && before !== undefined ? l.rows : [], loading: false, failure: asFailure(err) }));
		}
	};
	useEffect(() => {
		if (round === 0 && kept.list?.key === key && kept.list.come) return;
		void load();
		return () => stop.current?.abort();
	}, [key, round]);
	useEffect(() => {
		kept.list = list;
	}, [list]);
	return {
		...list,
		/** The rows are those of an earlier question. */
		stale: list.key !== key || (list.loading && !list.come),
		more: () => {
			if (!now.current.loading && now.current.next !== undefined && now.current.key === key && now.current.failure === undefined) void load(now.current.next);
		},
		again: () => setRound((n) => n + 1),
		drop: (ids: ReadonlySet<string>) => setList((l) => ({ ...l, rows: l.rows.filter((r) => !ids.has(r.mediaId)) })),
	};
}

/** The row with the focus, and how far the page was scrolled, when the list of this key was left. */
export const place = {
	of: (key: string) => (kept.list?.key === key ? { at: kept.at, scroll: kept.scroll } : { at: 0, scroll: 0 }),
	keep: (at: number, scroll: number) => {
		kept.at = at;
		kept.scroll = scroll;
	},
};

/** The ids of all calls that match, not only of those that are loaded. */
export async function everyRow(asked: ExplorationRequest, signal: AbortSignal, come?: (n: number) => void): Promise<ExploredRow[]> {
	const rows: ExploredRow[] = [];
	for (let before: string | undefined; ; ) {
		const body = { ...asked, include: ["rows"], limit: 1000, before };
		const found = await ask<Exploration>("POST", "v3/analytics/explore", { body, signal, silent: true });
		rows.push(...(found.rows ?? []));
		come?.(rows.length);
		if (found.next === undefined) return rows;
		before = found.next;
	}
}
