// What changes in the account while one looks: one long poll for all parts of the pages that want to know.

import { useEffect, useRef } from "preact/hooks";
import { ask, Failure } from "./api";

/** A recording that was added or has changed, or that is deleted. */
export interface Change {
	mediaId: string;
	status?: string;
	deleted?: boolean;
}

interface Page {
	cursor: string;
	media: Change[];
	more: boolean;
	reload?: boolean;
}

type Listener = (changes: Change[], reload: boolean) => void;

const listeners = new Set<Listener>();
let stop: AbortController | undefined;

/** How long the server waits for a change, and how long a page waits after a failure, in seconds. */
const [patience, pause] = [25, 15];

/** Calls a function with changes while a component is there. With reload, some are unknown: read everything again. */
export function useChanges(listener: Listener, when = true): void {
	const latest = useRef(listener);
	latest.current = listener;
	useEffect(() => {
		if (!when) return;
		const mine: Listener = (changes, reload) => latest.current(changes, reload);
		listeners.add(mine);
		if (stop === undefined) void follow((stop = new AbortController()).signal);
		return () => {
			listeners.delete(mine);
			if (listeners.size > 0) return;
			stop?.abort();
			stop = undefined;
		};
	}, [when]);
}

async function follow(signal: AbortSignal): Promise<void> {
	let after: string | undefined;
	while (!signal.aborted) {
		try {
			const query = after === undefined ? {} : { after, wait: patience };
			const page = await ask<Page>("GET", "v3/media/changes", { query, signal, silent: true });
			after = page.cursor;
			if (page.media.length > 0 || page.reload) for (const f of listeners) f(page.media, page.reload ?? false);
		} catch (err) {
			if (signal.aborted || (err instanceof Failure && (err.status === 401 || err.status === 403))) return;
			await new Promise((go) => setTimeout(go, pause * 1000));
		}
	}
}
