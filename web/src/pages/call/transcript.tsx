// The transcript: turns of one text node each, marks over them, and what follows the sound.

import { effect, Empty, useEffect, useKeys, useLayoutEffect, useRef, useSignal } from "kit";
import { type Call, jump, seek } from "./call";
import { Highlights, type Mark } from "./highlight";
import { Selected, selectedRange } from "./selected";
import { build, textAt, type Turns, turnOf, whenSeen } from "./turns";
import { begunAt, leading, num, saidAt, type Stretch, stretches, wordAt, type Words } from "./words";

/** Shows the words of a call. Found is what the finder found; now is the one that is looked at. */
export function Transcript({ call, found, hits, now, shading }: {
	call: Call;
	found: Stretch[];
	hits: Stretch[];
	now: Stretch | null;
	shading: boolean;
}) {
	const w = call.words;
	if (w === null || w.turns.length === 0) return <Empty title="No words">Nothing was said, or nothing was understood.</Empty>;
	return <Said call={call} w={w} found={found} hits={hits} now={now} shading={shading} />;
}

function Said({ call, w, found, hits, now, shading }: {
	call: Call;
	w: Words;
	found: Stretch[];
	hits: Stretch[];
	now: Stretch | null;
	shading: boolean;
}) {
	const list = useRef<HTMLOListElement>(null);
	const page = useRef<(Turns & { marks: Highlights }) | null>(null);
	const following = useSignal(true);
	const moved = useRef(0); // when this page last scrolled by itself

	useLayoutEffect(() => {
		if (list.current === null) return;
		const made = build(list.current, call.id, w);
		const marks = new Highlights(w, made.texts);
		page.current = Object.assign(made, { marks });
		const stop = whenSeen(list.current, made, (first, end) => marks.see(first, end));
		return () => (stop(), made.end(), marks.end());
	}, [call, w]);

	useEffect(() => {
		const marks = page.current?.marks;
		if (marks === undefined) return;
		marks.shading = shading;
		const put = (kind: Mark, all: Stretch[]) => marks.mark(kind, all);
		put("find", found);
		put("hit", hits);
		put("found", now === null ? [] : [now]);
		for (const kind of ["category", "detection", "entity"] as const) {
			put(kind, call.places.filter((p) => p.kind === kind).flatMap((p) => stretches(w, p.s, p.e, kind === "detection" ? undefined : p.speaker)));
		}
	}, [call, found, hits, now, shading]);

	/** Scrolls so that a stretch of text stands below the player, unless it is well in sight. */
	const show = (s: Stretch, always: boolean) => {
		page.current?.need(s.turn);
		const r = page.current?.marks.range(s)?.getBoundingClientRect();
		if (r === undefined) return;
		const top = document.querySelector(".player")?.getBoundingClientRect().bottom ?? 0;
		if (!always && r.top > top + 8 && r.bottom < innerHeight * 0.85) return;
		moved.current = performance.now();
		const far = Math.abs(r.top - top) > innerHeight;
		scrollBy({ top: r.top - top - (innerHeight - top) * 0.25, behavior: far || calm() ? "instant" : "smooth" });
	};

	useEffect(() => {
		let said = "";
		let current = -1;
		return call.player.follow((ms) => {
			const p = page.current;
			if (p === null) return;
			const words = saidAt(w, ms);
			const key = words.join();
			if (key !== said) {
				said = key;
				p.marks.say(words);
			}
			const begun = begunAt(w, ms);
			const turn = begun < 0 ? 0 : num(w.turn, begun);
			if (turn !== current) {
				p.items[current]?.removeAttribute("aria-current");
				p.items[turn]?.setAttribute("aria-current", "true");
				current = turn;
			}
			if (key !== "" && following.peek() && call.player.playing.peek() && begun >= 0) {
				show({ turn, from: num(w.from, begun), to: num(w.to, begun) }, false);
			}
		});
	}, [call, w]);

	// following yields to whoever scrolls
	useEffect(() => {
		const scrolled = () => {
			if (performance.now() - moved.current > 900 && call.player.playing.peek()) following.value = false;
		};
		addEventListener("scroll", scrolled, { passive: true });
		return () => removeEventListener("scroll", scrolled);
	}, [call]);

	useEffect(() => effect(() => {
		const { ms, round } = call.shown.value;
		if (round === 0) return;
		following.value = true;
		const i = Math.max(0, begunAt(w, ms));
		show({ turn: num(w.turn, i), from: num(w.from, i), to: num(w.to, i) }, false);
	}), [call, w]);
	useEffect(() => {
		if (now !== null) show(now, false);
	}, [now]);

	const click = (e: MouseEvent) => {
		const link = (e.target as Element).closest("a");
		if (link !== null && list.current?.contains(link)) {
			if (e.ctrlKey || e.metaKey || e.shiftKey) return;
			e.preventDefault();
			const turn = w.turns[turnOf(link)];
			if (turn !== undefined) jump(call, turn.s);
			return;
		}
		if (getSelection()?.isCollapsed === false) return;
		const at = textAt(page.current?.texts ?? [], e.clientX, e.clientY);
		const i = at === null ? -1 : wordAt(w, at.turn, at.offset);
		if (i >= 0) jump(call, num(w.start, i));
	};
	const key = (e: KeyboardEvent) => {
		const step = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
		const at = turnOf(document.activeElement);
		if (step === 0 || at < 0) return;
		e.preventDefault();
		focus(at + step);
	};
	const focus = (turn: number) => {
		page.current?.need(turn);
		const link = page.current?.items[turn]?.querySelector("a");
		if (!link) return;
		list.current?.querySelector("a[tabindex='0']")?.setAttribute("tabindex", "-1");
		link.tabIndex = 0;
		link.focus();
	};

	useTranscriptKeys(call, w);
	useEffect(() => {
		const chosen = () => {
			call.selection.value = selectedRange(w, page.current?.texts ?? []);
		};
		document.addEventListener("selectionchange", chosen);
		return () => document.removeEventListener("selectionchange", chosen);
	}, [call, w]);
	return (
		<>
			<ol class="turns" ref={list} aria-label="Turns" onClick={click} onKeyDown={key} />
			<div class="text-foot">
				{!following.value && call.player.playing.value && (
					<button type="button" onClick={() => ((following.value = true), (call.shown.value = { ms: call.player.now(), round: call.shown.peek().round + 1 }))}>
						Back to now
					</button>
				)}
				<Selected call={call} w={w} />
			</div>
		</>
	);
}

const calm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

function useTranscriptKeys(call: Call, w: Words): void {
	const word = (step: number) => {
		const now = call.player.now();
		const next = leading(w.inTime.length, (at) => num(w.start, num(w.inTime, at)) <= now + 1);
		// next is the first word that begins later; the one before it has begun
		const at = step > 0 ? next : num(w.start, num(w.inTime, next - 1)) < now - 300 ? next - 1 : next - 2;
		if (at >= 0 && at < w.inTime.length) seek(call, num(w.start, num(w.inTime, at)));
	};
	const turn = (step: number) => {
		const now = call.player.now();
		const next = leading(w.turns.length, (at) => (w.turns[at]?.s ?? 0) <= now + 1);
		const at = step > 0 ? next : now - (w.turns[next - 1]?.s ?? 0) > 1500 ? next - 1 : next - 2;
		const to = w.turns[Math.max(0, at)];
		if (to !== undefined) seek(call, to.s);
	};
	useKeys([
		{ key: ",", does: "To the word before", run: () => word(-1) },
		{ key: ".", does: "To the next word", run: () => word(1) },
		{ key: "[", does: "To the turn before", run: () => turn(-1) },
		{ key: "]", does: "To the next turn", run: () => turn(1) },
	]);
}
