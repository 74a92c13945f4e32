// Colours words without elements: ranges of the CSS Custom Highlight API, for the turns that are on screen.

import { num, type Stretch, type Words } from "./words";

/** Kinds of marks, from the weakest to the one that lies over all others. Looks are in call.css, ::highlight(call-…). */
const kinds = ["doubt", "unsure", "entity", "category", "detection", "hidden", "find", "hit", "found", "said"] as const;
export type Mark = (typeof kinds)[number];

export const supported = "highlights" in CSS;

const doubtful = 0.7;
const unsure = 0.4;

/** Keeps the marks of a transcript whose turns have one text node each. */
export class Highlights {
	private readonly sets = new Map<Mark, Highlight>();
	private visible: [number, number] = [0, 0]; // the turns on screen: first, and one past the last
	private readonly painted = new Map<number, [Highlight, StaticRange][]>(); // by turn
	private readonly wanted = new Map<Mark, Map<number, Stretch[]>>();
	private asked = 0;
	shading = true;

	constructor(private readonly words: Words, private readonly texts: Text[]) {
		if (!supported) return;
		kinds.forEach((kind, priority) => {
			const set = new Highlight();
			set.priority = priority;
			this.sets.set(kind, set);
			CSS.highlights.set(`call-${kind}`, set);
		});
	}

	/** Says which turns are on screen: from the first to one before the end. Paints those that came, forgets those that left. */
	see(first: number, end: number): void {
		if (!supported || (first === this.visible[0] && end === this.visible[1])) return;
		this.visible = [first, end];
		for (const turn of this.painted.keys()) if (turn < first || turn >= end) this.forget(turn);
		for (let turn = first; turn < end; turn++) if (!this.painted.has(turn)) this.paint(turn);
	}

	/** Sets what is marked, all over the call. */
	mark(kind: Mark, list: Stretch[]): void {
		const by = new Map<number, Stretch[]>();
		for (const s of list) {
			const there = by.get(s.turn);
			if (there === undefined) by.set(s.turn, [s]);
			else there.push(s);
		}
		this.wanted.set(kind, by);
		this.later();
	}

	/** Sets the words that are being said. */
	say(words: number[]): void {
		const set = this.sets.get("said");
		if (set === undefined) return;
		set.clear();
		for (const i of words) this.add(set, { turn: num(this.words.turn, i), from: num(this.words.from, i), to: num(this.words.to, i) });
	}

	/** The range of a stretch of text. */
	range(s: Stretch): Range | null {
		const text = this.texts[s.turn];
		if (text === undefined) return null;
		const range = document.createRange();
		range.setStart(text, Math.min(s.from, text.length));
		range.setEnd(text, Math.min(s.to, text.length));
		return range;
	}

	/** Paints all turns on screen anew before the next frame. */
	later(): void {
		if (supported) this.asked ||= requestAnimationFrame(() => this.again());
	}

	end(): void {
		cancelAnimationFrame(this.asked);
		for (const kind of this.sets.keys()) CSS.highlights.delete(`call-${kind}`);
	}

	private add(set: Highlight, s: Stretch): StaticRange | null {
		const text = this.texts[s.turn];
		if (text === undefined) return null;
		// static ranges cost nothing when the document changes, and these texts never change
		const range = new StaticRange({ startContainer: text, startOffset: s.from, endContainer: text, endOffset: Math.min(s.to, text.length) });
		set.add(range);
		return range;
	}

	private again(): void {
		this.asked = 0;
		for (const turn of this.painted.keys()) this.forget(turn);
		for (let turn = this.visible[0]; turn < this.visible[1]; turn++) this.paint(turn);
	}

	private forget(turn: number): void {
		for (const [set, range] of this.painted.get(turn) ?? []) set.delete(range);
		this.painted.delete(turn);
	}

	private paint(turn: number): void {
		const ranges: [Highlight, StaticRange][] = [];
		this.painted.set(turn, ranges);
		for (const [kind, by] of this.wanted) by.get(turn)?.forEach((s) => this.put(kind, s, ranges));
		this.shade(turn, ranges);
	}

	private put(kind: Mark, s: Stretch, ranges: [Highlight, StaticRange][]): void {
		const set = this.sets.get(kind);
		const range = set === undefined ? null : this.add(set, s);
		if (set !== undefined && range !== null) ranges.push([set, range]);
	}

	/** Marks words of a turn that the recogniser was not sure of, and hidden ones; neighbours have one range. */
	private shade(turn: number, ranges: [Highlight, StaticRange][]): void {
		const w = this.words;
		const t = w.turns[turn];
		if (t === undefined) return;
		let open: (Stretch & { kind: Mark }) | undefined;
		for (let i = t.first; i <= t.last; i++) {
			const sure = num(w.sure, i);
			const kind: Mark | null = i === t.last ? null
				: num(w.hidden, i) > 0 ? "hidden"
				: !this.shading || sure >= doubtful ? null
				: sure < unsure ? "unsure" : "doubt";
			if (open !== undefined && open.kind !== kind) {
				this.put(open.kind, open, ranges);
				open = undefined;
			}
			if (kind === null) continue;
			open ??= { kind, turn, from: num(w.from, i), to: 0 };
			open.to = num(w.to, i);
		}
	}
}
