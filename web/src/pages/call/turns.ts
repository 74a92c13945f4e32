// The turns as elements: made by hand, because there may be thousands and none ever changes.

import { clock } from "kit";
import { colour, moment } from "./call";
import type { Words } from "./words";

/** The turns of a list: their elements and their text nodes, of which those before ready are in the document. */
export interface Turns {
	items: HTMLElement[];
	texts: Text[];
	ready: number;
	/** Puts all turns up to one into the document at once. */
	need(turn: number): void;
	end(): void;
}

/** How many turns are put into the document at once: several windows full, and soon done. */
const portion = 150;

/** Safari has no callbacks for idle times. */
const [whenIdle, notWhenIdle] = "requestIdleCallback" in window
	? [(f: () => void) => requestIdleCallback(f, { timeout: 500 }), cancelIdleCallback]
	: [(f: () => void) => setTimeout(f, 50), clearTimeout];

/** Fills a list with turns: the first ones at once, the others in idle times, so that the page is never stuck. */
export function build(list: HTMLElement, id: string, w: Words): Turns {
	const items: HTMLElement[] = [];
	const texts: Text[] = [];
	let before = -1;
	w.turns.forEach((turn, i) => {
		const item = document.createElement("li");
		item.className = `turn ${colour(turn.speaker)}`;
		item.dataset.turn = String(i);
		const time = item.appendChild(document.createElement("a"));
		time.href = moment(id, turn.s);
		time.textContent = clock(turn.s);
		time.tabIndex = i === 0 ? 0 : -1;
		const name = w.speakers[turn.speaker] ?? "";
		if (name !== "" && turn.speaker !== before) item.appendChild(document.createElement("bdi")).textContent = name;
		before = turn.speaker;
		const text = item.appendChild(document.createElement("p"));
		text.dir = "auto";
		const node = document.createTextNode(turn.text);
		text.append(node);
		items.push(item);
		texts.push(node);
	});
	let later = 0;
	const more = (end: number) => {
		notWhenIdle(later);
		list.append(...items.slice(turns.ready, end));
		turns.ready = Math.min(items.length, Math.max(turns.ready, end));
		if (turns.ready < items.length) later = whenIdle(() => more(turns.ready + portion));
	};
	const turns: Turns = {
		items,
		texts,
		ready: 0,
		need: (turn) => turn >= turns.ready && more(turn + portion),
		end: () => notWhenIdle(later),
	};
	list.replaceChildren();
	more(portion);
	return turns;
}

/**
 * Tells which of the turns are on screen or near it: at once, and when that has changed so much that others will be seen
 * soon. Chromium goes through all marks whenever one changes, so there are few and they change seldom. An
 * IntersectionObserver of thousands of items costs more than all else of a frame.
 */
export function whenSeen(list: HTMLElement, turns: Turns, tell: (first: number, end: number) => void): () => void {
	let asked = 0;
	const after = (y: number) => {
		let [low, high] = [0, turns.ready];
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((turns.items[middle]?.getBoundingClientRect().bottom ?? 0) <= y) low = middle + 1;
			else high = middle;
		}
		return low;
	};
	const within = (margin: number): [number, number] => [after(-margin), Math.min(turns.ready, after(innerHeight + margin) + 1)];
	let told: [number, number] = [0, 0];
	const look = () => {
		asked = 0;
		const [first, end] = within(innerHeight / 8);
		if (first >= told[0] && end <= told[1]) return;
		told = within(innerHeight);
		tell(...told);
	};
	const later = () => {
		asked ||= requestAnimationFrame(look);
	};
	const resized = new ResizeObserver(later);
	resized.observe(list);
	addEventListener("scroll", later, { passive: true });
	addEventListener("resize", later);
	look();
	return () => {
		cancelAnimationFrame(asked);
		resized.disconnect();
		removeEventListener("scroll", later);
		removeEventListener("resize", later);
	};
}

/** The place of the text at a point of the screen: a node and an offset. */
function caret(x: number, y: number): { node: Node; offset: number } | null {
	if ("caretPositionFromPoint" in document) {
		const at = document.caretPositionFromPoint(x, y);
		return at === null ? null : { node: at.offsetNode, offset: at.offset };
	}
	const old = (document as { caretRangeFromPoint?: (x: number, y: number) => Range | null }).caretRangeFromPoint?.(x, y);
	return old ? { node: old.startContainer, offset: old.startOffset } : null;
}

/** The turn and the offset in its text at a point; null beside the text. */
export function textAt(texts: Text[], x: number, y: number): { turn: number; offset: number } | null {
	const at = caret(x, y);
	if (at === null || !(at.node instanceof Text)) return null;
	const turn = turnOf(at.node);
	if (turn < 0 || texts[turn] !== at.node) return null;
	const range = document.createRange();
	range.selectNodeContents(at.node);
	for (const r of range.getClientRects()) {
		if (x >= r.left - 4 && x <= r.right + 4 && y >= r.top && y <= r.bottom) return { turn, offset: at.offset };
	}
	return null;
}

/** The turn that a node belongs to; -1 outside. */
export function turnOf(node: Node | null): number {
	const item = (node instanceof Element ? node : node?.parentElement)?.closest<HTMLElement>("[data-turn]");
	return item === null || item === undefined ? -1 : Number(item.dataset.turn);
}
