// Answers of the server as a part of a page sees them: each part loads, fails and is asked again by itself.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Failure } from "./api";

/** What a part of a page knows of its answer. While it is asked for again, the earlier value stays. */
export interface Answer<T> {
	value?: T;
	failure?: Failure;
	loading: boolean;
	/** Asks again. */
	again: () => void;
	/** Replaces the value, such as after a change that the server has confirmed. */
	set: (value: T) => void;
}

/**
 * Asks when the key changes, and ends the earlier request. A key of null asks nothing. Values of an earlier key are
 * dropped unless keep is set.
 */
export function useAnswer<T>(
	key: string | null,
	load: (signal: AbortSignal) => Promise<T>,
	{ keep = false }: { keep?: boolean } = {},
): Answer<T> {
	const [state, setState] = useState<{ key: string | null; value?: T; failure?: Failure; loading: boolean }>({
		key: null,
		loading: key !== null,
	});
	const [round, setRound] = useState(0);
	const latest = useRef(load);
	latest.current = load;
	useEffect(() => {
		if (key === null) {
			setState({ key, loading: false });
			return;
		}
		const stop = new AbortController();
		setState((s) => ({ key, value: keep || s.key === key ? s.value : undefined, loading: true }));
		latest.current(stop.signal).then(
			(value) => !stop.signal.aborted && setState({ key, value, loading: false }),
			(err: unknown) => {
				if (stop.signal.aborted) return;
				setState((s) => ({ key, value: s.value, failure: asFailure(err), loading: false }));
			},
		);
		return () => stop.abort();
	}, [key, round]);
	const again = useCallback(() => setRound((n) => n + 1), []);
	const set = useCallback((value: T) => setState((s) => ({ ...s, value, failure: undefined })), []);
	const current = state.key === key || keep;
	return {
		value: current ? state.value : undefined,
		failure: state.key === key ? state.failure : undefined,
		loading: state.loading || state.key !== key,
		again,
		set,
	};
}

/** A function that asks at most once a minute; what fails is asked again the next time. */
export function onceAMinute<T>(load: () => Promise<T>): () => Promise<T> {
	let kept: Promise<T> | undefined;
	const forget = () => (kept = undefined);
	return () => {
		if (kept === undefined) {
			kept = load();
			kept.then(() => setTimeout(forget, 60_000), forget);
		}
		return kept;
	};
}

/** An error as a failure; errors of the page itself are shown as such. */
export function asFailure(err: unknown): Failure {
	if (err instanceof Failure) return err;
	console.error(err);
	return new Failure(0, [{ code: 0, error: `The page failed: ${err instanceof Error ? err.message : err}` }], "");
}

/** Runs a function again and again while a page is looked at: every so many milliseconds, as long as on is set. */
export function useEvery(ms: number, run: () => void, on = true): void {
	const latest = useRef(run);
	latest.current = run;
	useEffect(() => {
		if (!on) return;
		const timer = setInterval(() => document.hidden || latest.current(), ms);
		return () => clearInterval(timer);
	}, [ms, on]);
}

/** Runs a change when it is asked for, one at a time. */
export function useChange<A extends unknown[]>(change: (...args: A) => Promise<void>) {
	const [state, setState] = useState<{ busy: boolean; failure?: Failure }>({ busy: false });
	const busy = useRef(false);
	const run = async (...args: A): Promise<void> => {
		if (busy.current) return;
		busy.current = true;
		setState({ busy: true });
		try {
			await change(...args);
			setState({ busy: false });
		} catch (err) {
			setState({ busy: false, failure: asFailure(err) });
		} finally {
			busy.current = false;
		}
	};
	return { run, ...state, forget: () => setState({ busy: false }) };
}
