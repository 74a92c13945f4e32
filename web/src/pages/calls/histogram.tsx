// How many calls there were in each hour, day, week or month. Dragging over it, or the keyboard, chooses a period.

import { count, counted, date, IconButton, time, useEffect, useRef, useState } from "kit";
import type { Exploration } from "../../kit/wire";
import { change, type State } from "./state";

type Buckets = NonNullable<Exploration["histogram"]>;

export function Histogram({ histogram, state, least }: { histogram: Buckets; state: State; least: boolean }) {
	const { buckets, interval } = histogram;
	const box = useRef<HTMLDivElement>(null);
	const [at, setAt] = useState(buckets.length - 1);
	const [fixed, setFixed] = useState<number | null>(null); // the other end of what is chosen
	const [shown, setShown] = useState(false);
	useEffect(() => {
		setAt(buckets.length - 1);
		setFixed(null);
		setShown(false);
	}, [buckets.length, buckets[0]?.from]);
	if (buckets.length === 0) return null;
	const most = Math.max(1, ...buckets.map((b) => b.calls));
	const last = Math.min(at, buckets.length - 1);
	const [low, high] = fixed === null ? [last, last] : [Math.min(fixed, last), Math.max(fixed, last)];
	const zoom = (a: number, b: number) => {
		const [from, until] = [buckets[a]?.from, buckets[b]?.until];
		if (from === undefined || until === undefined) return;
		if (interval === "hour") change({ from, until });
		else change({ from: localDay(from), until: localDay(until) });
	};
	const place = (e: PointerEvent) => {
		const r = box.current?.getBoundingClientRect();
		return r === undefined ? 0 : Math.max(0, Math.min(buckets.length - 1, Math.floor(((e.clientX - r.left) / r.width) * buckets.length)));
	};
	const key = (e: KeyboardEvent) => {
		const moved = { ArrowLeft: last - 1, ArrowRight: last + 1, PageUp: last - 10, PageDown: last + 10, Home: 0, End: buckets.length - 1 }[e.key];
		if (moved !== undefined) {
			e.preventDefault();
			setShown(true);
			setFixed(e.shiftKey ? (fixed ?? last) : null);
			setAt(Math.max(0, Math.min(buckets.length - 1, moved)));
		} else if (e.key === "Enter" || e.key === " ") {
			e.preventDefault();
			zoom(low, high);
		} else if (e.key === "Escape" && fixed !== null) {
			e.preventDefault();
			setFixed(null);
		}
	};
	const chosen = buckets.slice(low, high + 1).reduce((sum, b) => sum + b.calls, 0);
	const text = `${name(buckets[low], interval)}${high > low ? ` to ${name(buckets[high], interval)}` : ""}: ${least ? "at least " : ""}${counted(chosen, "call")}`;
	return (
		<div class="calls-histogram">
			<div
				ref={box}
				class="calls-bars"
				style={{ maxWidth: `${buckets.length * 3}rem` }}
				role="slider"
				tabIndex={0}
				aria-label={`Calls by ${interval}. Arrow keys move, with Shift they choose several, Enter shows these calls.`}
				aria-valuemin={0}
				aria-valuemax={buckets.length - 1}
				aria-valuenow={last}
				aria-valuetext={text}
				onKeyDown={key}
				onFocus={() => setShown(true)}
				onBlur={() => (setShown(false), setFixed(null))}
				onPointerDown={(e) => {
					if (e.button !== 0) return;
					e.currentTarget.setPointerCapture(e.pointerId);
					setFixed(place(e));
					setAt(place(e));
					setShown(true);
				}}
				onPointerMove={(e) => {
					if (e.buttons === 0) setFixed(null);
					setShown(true);
					setAt(place(e));
				}}
				onPointerLeave={() => document.activeElement !== box.current && setShown(false)}
				onPointerUp={(e) => fixed !== null && zoom(Math.min(fixed, place(e)), Math.max(fixed, place(e)))}
			>
				<svg viewBox={`0 0 ${buckets.length} 100`} preserveAspectRatio="none" aria-hidden="true">
					{shown && <rect class="calls-chosen" x={low} width={high - low + 1} y="0" height="100" />}
					{buckets.map((b, i) => (
						<rect x={i + 0.08} width={0.84} y={100 - height(b.calls, most)} height={height(b.calls, most)} />
					))}
				</svg>
			</div>
			<div class="calls-axis">
				<span>{name(buckets[0], interval)}</span>
				<span class="calls-axis-now">{shown ? text : `up to ${count(most)} per ${interval}`}</span>
				<span>{buckets.length > 1 && name(buckets.at(-1), interval)}</span>
			</div>
			<Period state={state} />
		</div>
	);
}

const height = (n: number, most: number): number => (n === 0 ? 0 : Math.max(2, (n / most) * 100));

/** The period in dates, and the way back from it. */
export function Period({ state }: { state: State }) {
	return (
		<div class="calls-period">
			<label>
				From <input type="date" value={localDay(state.from)} onChange={(e) => change({ from: e.currentTarget.value })} />
			</label>
			<label>
				to <input type="date" value={localDay(state.until)} onChange={(e) => change({ until: e.currentTarget.value })} />
			</label>
			{state.from + state.until !== "" && <IconButton icon="close" label="All times" onClick={() => change({ from: "", until: "" })} />}
		</div>
	);
}

/** The day of an instant in the time zone of the browser; days stay. */
export function localDay(text: string): string {
	if (text === "" || /^\d{4}-\d\d-\d\d$/.test(text)) return text;
	const at = new Date(text);
	if (Number.isNaN(at.getTime())) return "";
	const two = (n: number) => String(n).padStart(2, "0");
	return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

function name(b: { from: string } | undefined, interval: Buckets["interval"]): string {
	if (b === undefined) return "";
	const at = new Date(b.from);
	if (interval === "hour") return `${date(at)}, ${time(at)}`;
	if (interval === "month") return at.toLocaleDateString(undefined, { year: "numeric", month: "long" });
	return interval === "week" ? `week of ${date(at)}` : date(at);
}
