// Something that is done to many things, one request each: a few at a time, with progress, a stop and a list of failures.

import { signal } from "@preact/signals";
import { asFailure } from "./answer";
import { Failure } from "./api";
import { Dialog } from "./control";
import { count } from "./format";

/** Work on many things. */
export interface Many {
	/** What is done, such as "Deleting 5,941 calls". */
	title: string;
	/** How many there are; undefined while they are collected. */
	all?: number;
	done: number;
	failed: { name: string; why: string }[];
	/** It goes on until it has done all, or is stopped. */
	going: boolean;
	stop: () => void;
}

/** The present work, which goes on while one goes from page to page; null if there is none. */
export const many = signal<Many | null>(null);

/** How many requests are sent at a time, and how many failures are listed. */
const [parallel, listed] = [4, 100];

/**
 * Collects things, then does something to each. Requests that the server puts off (429, 503) are sent again. Returns how
 * many it has done.
 */
export async function doMany<T>({ title, collect, name, each }: {
	title: string;
	collect: (signal: AbortSignal) => Promise<T[]>;
	name: (item: T) => string;
	each: (item: T, signal: AbortSignal) => Promise<unknown>;
}): Promise<number> {
	if (many.value?.going) return 0;
	const end = new AbortController();
	const change = (c: Partial<Many>) => {
		if (many.value !== null) many.value = { ...many.value, ...c };
	};
	many.value = { title, done: 0, failed: [], going: true, stop: () => end.abort() };
	let done = 0;
	try {
		const items = await collect(end.signal);
		change({ all: items.length });
		let next = 0;
		const worker = async () => {
			for (let item = items[next++]; item !== undefined && !end.signal.aborted; item = items[next++]) {
				try {
					await patiently(() => each(item as T, end.signal), end.signal);
					change({ done: ++done });
				} catch (err) {
					if (end.signal.aborted) return;
					const failed = many.value?.failed ?? [];
					change({ failed: [...failed, { name: name(item), why: asFailure(err).message }] });
				}
			}
		};
		await Promise.all(Array.from({ length: parallel }, worker));
	} catch (err) {
		if (!end.signal.aborted) change({ failed: [{ name: title, why: asFailure(err).message }] });
	}
	change({ going: false });
	if (many.value?.failed.length === 0 && !end.signal.aborted) many.value = null;
	return done;
}

async function patiently<R>(run: () => Promise<R>, signal: AbortSignal): Promise<R> {
	for (let tries = 1; ; tries++) {
		try {
			return await run();
		} catch (err) {
			if (!(err instanceof Failure) || (err.status !== 429 && err.status !== 503) || tries > 5) throw err;
			await new Promise((go) => setTimeout(go, 1000 * tries));
			signal.throwIfAborted();
		}
	}
}

/** Shows the present work, if there is one. */
export function ManyDialog() {
	const m = many.value;
	if (m === null) return null;
	const close = () => (m.going ? m.stop() : (many.value = null));
	return (
		<Dialog title={m.title} close={close}>
			<progress max={m.all ?? 1} value={m.all === undefined ? undefined : m.done + m.failed.length} aria-label={m.title} />
			<p role="status">
				{m.all === undefined ? (m.going ? "Collecting them…" : "Stopped.") : `${count(m.done)} of ${count(m.all)} done`}
				{m.failed.length > 0 && `, ${count(m.failed.length)} failed`}
				{!m.going && m.all !== undefined && m.done + m.failed.length < m.all && ", then stopped"}
			</p>
			{m.failed.length > 0 && (
				<ul class="many-failed" tabIndex={0} aria-label="Failures">
					{m.failed.slice(0, listed).map((f) => (
						<li>
							<bdi>{f.name}</bdi>: {f.why}
						</li>
					))}
					{m.failed.length > listed && <li>and {count(m.failed.length - listed)} more</li>}
				</ul>
			)}
			<div class="actions end">
				<button type="button" onClick={close}>
					{m.going ? "Stop" : "Close"}
				</button>
			</div>
		</Dialog>
	);
}
