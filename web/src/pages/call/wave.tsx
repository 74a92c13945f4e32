// The waveform: lanes, bands, marks, and a slider that moves the position.

import { clock, effect, Loading, useAnswer, useEffect, useKeys, useLayoutEffect, useRef, useState } from "kit";
import { type Call, jump, type Range, remember, seek, spoken } from "./call";
import { colours, nearest, Tip } from "./legend";
import { draw, drawHead, drawMap, gap, heightOf, type Picture, rowHeight } from "./draw";
import { peaks, type Peaks } from "./peaks";
import type { Kind, Place } from "./places";
import { begunAt, num, saidAt } from "./words";

const mapHeight = 14;

export interface View {
	from: number;
	to: number;
}

/** Shows the waveform of a call. Overview is null while it loads, or if there is none. */
export function Wave({ call, overview, speakers, rows, lane, missing }: {
	call: Call;
	overview: Peaks | null;
	speakers: number[];
	rows: { kind: Kind; places: Place[] }[];
	lane: number;
	/** Whether there will be no overview. */
	missing: boolean;
}) {
	const { player, length } = call;
	const whole = { from: 0, to: Math.max(1, length) };
	const [view, setView] = useState<View>(whole);
	const [width, setWidth] = useState(0);
	const [round, setRound] = useState(0); // of colours
	const [tip, setTip] = useState<{ x: number; ms: number; place?: Place } | null>(null);
	const box = useRef<HTMLDivElement>(null);
	const canvas = useRef<HTMLCanvasElement>(null);
	const map = useRef<HTMLCanvasElement>(null);
	const head = useRef<HTMLCanvasElement>(null);
	const ink = useRef("");
	const height = heightOf(speakers.length, lane, rows.length);
	const seen = useRef(view);
	seen.current = view;
	const detail = useDetail(call, view, width, overview);

	useLayoutEffect(() => {
		const watch = new ResizeObserver(([e]) => e !== undefined && setWidth(Math.floor(e.contentRect.width)));
		if (box.current !== null) watch.observe(box.current);
		const again = () => setRound((n) => n + 1);
		const theme = new MutationObserver(again);
		theme.observe(document.documentElement, { attributes: true });
		const system = matchMedia("(prefers-color-scheme: dark)");
		system.addEventListener("change", again);
		return () => (watch.disconnect(), theme.disconnect(), system.removeEventListener("change", again));
	}, []);

	const picture = (): Picture => ({
		view, width, lane, speakers, peaks: detail, words: call.words, bands: call.bands, rows,
		selection: call.selection.value, colours: colours(box.current ?? document.body),
	});
	useEffect(() => {
		ink.current = colours(box.current ?? document.body).redaction;
	}, [round]);
	useEffect(() => effect(() => {
		call.selection.value; // drawn
		if (canvas.current !== null && width > 0) draw(canvas.current, picture());
	}), [call, view, width, lane, detail, rows, speakers, round]);
	useEffect(() => {
		if (map.current !== null && width > 0 && overview !== null) {
			drawMap(map.current, overview, length, width, mapHeight, colours(box.current ?? document.body).quiet);
		}
	}, [overview, width, round]);

	useEffect(() => player.follow((ms) => {
		const { from, to } = seen.current;
		if (player.playing.peek() && (ms < from || ms > to) && !dragging.current) {
			const at = Math.min(Math.max(0, ms - (to - from) * 0.1), length - (to - from));
			setView({ from: at, to: at + (to - from) });
		}
		if (head.current !== null && width > 0) drawHead(head.current, ((ms - from) / (to - from)) * width, width, height, ink.current);
		label(ms);
	}), [call, view, width, height, round]);

	const said = useRef(-1);
	const label = (ms: number) => {
		const e = box.current;
		const second = Math.floor(ms / 1000);
		if (e === null || (second === said.current && player.playing.peek())) return;
		said.current = second;
		e.setAttribute("aria-valuenow", String(second));
		e.setAttribute("aria-valuetext", `${spoken(ms)} of ${spoken(length)}${speaks(call, ms)}`);
	};

	const zoom = (factor: number, around = player.now()) => {
		const { from, to } = seen.current;
		const span = Math.min(length, Math.max(1000, (to - from) / factor));
		const center = around >= from && around <= to ? around : (from + to) / 2;
		const start = Math.min(Math.max(0, center - ((center - from) / (to - from)) * span), Math.max(0, length - span));
		setView({ from: start, to: start + span });
	};
	const pan = (ms: number) => {
		const { from, to } = seen.current;
		const start = Math.min(Math.max(0, from + ms), Math.max(0, length - (to - from)));
		setView({ from: start, to: start + to - from });
	};
	useKeys([
		{ key: "+", does: "Zoom in", run: () => zoom(2) },
		{ key: "-", does: "Zoom out", run: () => zoom(0.5) },
		{ key: "0", does: "Show the whole call", run: () => setView(whole) },
	]);

	// not passive: with Ctrl, the page would zoom
	useEffect(() => {
		const wheel = (e: WheelEvent) => {
			const sideways = e.deltaX !== 0 ? e.deltaX : e.shiftKey ? e.deltaY : 0;
			if (e.ctrlKey) zoom(Math.exp(-e.deltaY / 200), timeAt(e.clientX));
			else if (sideways !== 0 && seen.current.to - seen.current.from < length) pan((sideways / 1000) * (seen.current.to - seen.current.from));
			else return;
			e.preventDefault();
		};
		const e = box.current;
		e?.addEventListener("wheel", wheel, { passive: false });
		return () => e?.removeEventListener("wheel", wheel);
	}, [call]);

	const timeAt = (clientX: number): number => {
		const r = box.current?.getBoundingClientRect();
		if (r === undefined || r.width === 0) return 0;
		const { from, to } = seen.current;
		return Math.min(length, Math.max(0, from + ((clientX - r.left) / r.width) * (to - from)));
	};
	const placeAt = (e: PointerEvent): Place | undefined => {
		const top = e.clientY - (box.current?.getBoundingClientRect().top ?? 0) - speakers.length * lane - rowHeight - gap;
		const row = rows[Math.floor(top / (rowHeight + gap))];
		return top < 0 || row === undefined ? undefined : nearest(row.places, timeAt(e.clientX), (4 / width) * (seen.current.to - seen.current.from));
	};
	const dragging = useRef<{ at: number; select: boolean } | null>(null);
	const down = (e: PointerEvent) => {
		if (e.button !== 0) return;
		const place = placeAt(e);
		if (place !== undefined) return jump(call, place.s);
		dragging.current = { at: timeAt(e.clientX), select: e.shiftKey };
		box.current?.setPointerCapture(e.pointerId);
		if (!e.shiftKey) seek(call, dragging.current.at);
	};
	const move = (e: PointerEvent) => {
		const ms = timeAt(e.clientX);
		const drag = dragging.current;
		if (drag?.select) call.selection.value = { s: Math.min(drag.at, ms), e: Math.max(drag.at, ms) } satisfies Range;
		else if (drag !== null) seek(call, ms);
		setTip({ x: e.clientX - (box.current?.getBoundingClientRect().left ?? 0), ms, place: placeAt(e) });
	};
	const key = (e: KeyboardEvent) => {
		const step = { ArrowRight: 5000, ArrowUp: 5000, ArrowLeft: -5000, ArrowDown: -5000, PageUp: 30000, PageDown: -30000 }[e.key];
		if (step !== undefined) seek(call, player.now() + step);
		else if (e.key === "Home") seek(call, 0);
		else if (e.key === "End") seek(call, length);
		else return;
		e.preventDefault();
	};
	return (
		<div class="wave">
			<div
				ref={box}
				class="wave-box"
				role="slider"
				tabIndex={0}
				aria-label="Position in the call"
				aria-valuemin={0}
				aria-valuemax={Math.floor(length / 1000)}
				aria-valuenow={0}
				style={{ height: `${height}px` }}
				onPointerDown={down}
				onPointerMove={move}
				onPointerUp={() => ((dragging.current = null), remember(call))}
				onPointerLeave={() => setTip(null)}
				onKeyDown={key}
			>
				<canvas ref={canvas} aria-hidden="true" />
				<canvas ref={head} class="wave-head" aria-hidden="true" />
				{tip !== null && <Tip {...tip} width={width} />}
			</div>
			<WaveMap call={call} view={view} canvas={map} pan={(ms) => pan(ms - (view.from + view.to) / 2)} show={overview !== null} />
			{overview === null && !missing && <Loading what="the waveform" />}
			<span class="visually-hidden">
				{clock(view.from)} to {clock(view.to)} of {clock(length)} is shown
			</span>
			<div class="wave-zoom">
				<button type="button" class="plain small" onClick={() => zoom(2)} aria-label="Zoom in">+</button>
				<button type="button" class="plain small" onClick={() => zoom(0.5)} aria-label="Zoom out" disabled={view.to - view.from >= length}>−</button>
				<button type="button" class="plain small" onClick={() => setView(whole)} disabled={view.to - view.from >= length}>Whole call</button>
			</div>
		</div>
	);
}

/** The whole call, with a frame around what is shown. */
function WaveMap({ call, view, canvas, pan, show }: {
	call: Call;
	view: View;
	canvas: { current: HTMLCanvasElement | null };
	pan: (ms: number) => void;
	show: boolean;
}) {
	const move = (e: PointerEvent) => {
		if (e.buttons !== 1) return;
		const r = (e.currentTarget as HTMLElement).getBoundingClientRect();
		pan(((e.clientX - r.left) / r.width) * call.length);
	};
	const percent = (ms: number) => `${(ms / Math.max(1, call.length)) * 100}%`;
	return (
		<div class="wave-map" hidden={!show} onPointerDown={move} onPointerMove={move} aria-hidden="true">
			<canvas ref={canvas} />
			<div style={{ left: percent(view.from), width: percent(view.to - view.from) }} />
		</div>
	);
}

/** The waveform of what is shown: finer than the overview, as soon as it is there. */
function useDetail(call: Call, view: View, width: number, overview: Peaks | null): Peaks | null {
	const [settled, setSettled] = useState(view);
	useEffect(() => {
		const later = setTimeout(() => setSettled(view), 120);
		return () => clearTimeout(later);
	}, [view]);
	const span = settled.to - settled.from;
	const fine = overview !== null && width > 0 && span < call.length && overview.step > span / width;
	const from = Math.max(0, settled.from - span / 2);
	const to = Math.min(call.length, settled.to + span / 2);
	const answer = useAnswer(fine ? `${call.id} ${from} ${to}` : null, (stop) => peaks(call.id, from, to, Math.min(10000, width * 2), stop), { keep: true });
	const found = answer.value;
	const fits = found !== undefined && found.start <= view.from + found.step && found.start + found.length * found.step >= view.to - found.step;
	return fine && fits ? found : overview;
}

/** Who speaks at a time, as the end of a sentence. */
function speaks(call: Call, ms: number): string {
	const w = call.words;
	if (w === null || w.speakers.length < 2) return "";
	const now = saidAt(w, ms);
	const words = now.length > 0 ? now : [begunAt(w, ms)].filter((i) => i >= 0 && ms - num(w.end, i) < 300);
	const names = words.map((i) => w.speakers[w.turns[num(w.turn, i)]?.speaker ?? 0] ?? "");
	return names.length === 0 ? ", nobody speaks" : `, ${names.join(" and ")} ${names.length > 1 ? "speak" : "speaks"}`;
}
