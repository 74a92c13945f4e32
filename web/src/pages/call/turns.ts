// The turns as elements: made by hand, because there may be thousands and none ever changes.

import { clock } from "kit";
import { colour, moment } from "./call";
import type { Words } from "./words";

/** Fills a list with turns, and returns their elements and their text nodes. */
export function build(list: HTMLElement, id: string, w: Words): { items: HTMLElement[]; texts: Text[] } {
	const items: HTMLElement[] = [];
	const texts: Text[] = [];
	const all = document.createDocumentFragment();
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
		all.append(item);
		items.push(item);
		texts.push(node);
	});
	list.replaceChildren(all);
	return { items, texts };
}

/** How far beyond the window turns count as seen, in pixels. */
const margin = 100;

/**
 * Tells which of the items, which stand below each other, are on screen: at once, and before each frame in which that
 * may have changed. An IntersectionObserver of thousands of items costs more than all else of a frame.
 */
export function whenSeen(list: HTMLElement, items: HTMLElement[], tell: (first: number, end: number) => void): () => void {
	let asked = 0;
	const after = (y: number) => {
		let [low, high] = [0, items.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((items[middle]?.getBoundingClientRect().bottom ?? 0) <= y) low = middle + 1;
			else high = middle;
		}
		return low;
	};
	const look = () => {
		asked = 0;
		tell(after(-margin), Math.min(items.length, after(innerHeight + margin) + 1));
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
