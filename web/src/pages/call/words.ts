// The words of a transcript, in arrays of numbers: a call of three hours has 30,000 of them.

import type { Activity, Transcript, Word } from "../../kit/wire";

/** What one speaker says until the other speaks; its words are those from first up to last, exclusive. */
export interface Turn {
	speaker: number;
	s: number;
	e: number;
	text: string;
	first: number;
	last: number;
}

/** A place in the text of a turn. */
export interface Stretch {
	turn: number;
	from: number;
	to: number;
}

export interface Words {
	speakers: string[];
	turns: Turn[];
	/** Of each word, in reading order: its times, its turn, its place in the turn's text, how sure the recogniser was. */
	start: Int32Array;
	end: Int32Array;
	turn: Int32Array;
	from: Int32Array;
	to: Int32Array;
	sure: Float32Array;
	/** 1 if the word was redacted, 2 if the profanity filter masked it. */
	hidden: Uint8Array;
	/** The words of each speaker in order of time. */
	spoken: Int32Array[];
	/** All words in order of time. */
	inTime: Int32Array;
	/** When each speaker talks, in the order of speakers. */
	activity: Activity[];
	/** Whether each speaker has a channel. */
	apart: boolean;
}

const has = (w: Word, marker: string): boolean => w.m !== undefined && w.m.split("|").includes(marker);

// Words of these scripts are not separated by spaces.
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\u3000-\u303f\uff00-\uffef]/u;

/** What stands between two texts: a space, except before punctuation and between words of scripts without spaces. */
function between(before: string, word: Word): string {
	if (before === "" || has(word, "punc")) return "";
	return dense.test(before.slice(-1)) && dense.test(word.w.charAt(0)) ? "" : " ";
}

/** Groups a transcript into turns. Where speakers have channels, the server says what the turns are. */
export function read(t: Transcript): Words {
	const speakers = (t.voiceActivity ?? []).map((a) => a.speakerName);
	const index = (name: string): number => {
		const at = speakers.indexOf(name);
		return at >= 0 ? at : speakers.push(name) - 1;
	};
	const groups = t.turns !== undefined ? byTurns(t, t.turns, index) : byRuns(t.words, index);
	return fill(groups, speakers, t);
}

interface Group {
	speaker: number;
	words: Word[];
}

/** Hands each speaker's words to the turns of that speaker, as far as each turn lasts. */
function byTurns(t: Transcript, turns: NonNullable<Transcript["turns"]>, index: (name: string) => number): Group[] {
	const said: Word[][] = [];
	let speaker = 0;
	for (const w of t.words) {
		if (has(w, "turn")) speaker = index(w.w);
		else (said[speaker] ??= []).push(w);
	}
	const taken: number[] = [];
	return turns.map((turn) => {
		const who = index(turn.speaker);
		const words = said[who] ?? [];
		const first = taken[who] ?? 0;
		let last = first;
		while (last < words.length && (words[last]?.s ?? 0) <= turn.e) last++;
		taken[who] = last;
		return { speaker: who, words: words.slice(first, last) };
	});
}

const pause = 1500; // ms; a longer one begins a paragraph
const full = 60; // words, after which a sentence ends the paragraph

/** Words of one channel: turns are what the entries of speakers separate; a single speaker's words have paragraphs. */
function byRuns(words: Word[], index: (name: string) => number): Group[] {
	const groups: Group[] = [];
	let open: Group | undefined;
	let alone = true;
	let ended = 0;
	let sentence = false;
	for (const w of words) {
		if (has(w, "turn")) {
			alone = false;
			groups.push((open = { speaker: index(w.w), words: [] }));
			continue;
		}
		const mark = has(w, "punc");
		if (open === undefined || (alone && !mark && (w.s - ended > pause || (sentence && open.words.length > full)))) {
			groups.push((open = { speaker: index(""), words: [] }));
		}
		open.words.push(w);
		if (mark) {
			sentence = /[.?!。？！؟]/.test(w.w);
		} else {
			ended = w.e;
			sentence = false;
		}
	}
	return groups.filter((g) => g.words.length > 0);
}

function fill(groups: Group[], speakers: string[], t: Transcript): Words {
	const n = groups.reduce((sum, g) => sum + g.words.filter((w) => !has(w, "punc")).length, 0);
	const r: Words = {
		speakers,
		turns: [],
		start: new Int32Array(n),
		end: new Int32Array(n),
		turn: new Int32Array(n),
		from: new Int32Array(n),
		to: new Int32Array(n),
		sure: new Float32Array(n),
		hidden: new Uint8Array(n),
		spoken: [],
		inTime: new Int32Array(n),
		activity: t.voiceActivity ?? [],
		apart: t.turns !== undefined,
	};
	let at = 0;
	for (const group of groups) {
		const turn: Turn = { speaker: group.speaker, s: group.words[0]?.s ?? 0, e: 0, text: "", first: at, last: at };
		for (const w of group.words) {
			const gap = between(turn.text, w);
			turn.text += gap + w.w;
			turn.e = Math.max(turn.e, w.e);
			if (has(w, "punc")) continue;
			r.start[at] = w.s;
			r.end[at] = w.e;
			r.turn[at] = r.turns.length;
			r.to[at] = turn.text.length;
			r.from[at] = turn.text.length - w.w.length;
			r.sure[at] = w.c;
			r.hidden[at] = has(w, "redacted") ? 1 : w.w === "..." ? 2 : 0;
			at++;
		}
		turn.last = at;
		r.turns.push(turn);
	}
	const order = Array.from({ length: n }, (_, i) => i).sort((a, b) => num(r.start, a) - num(r.start, b));
	r.inTime.set(order);
	r.spoken = speakers.map((_, s) => Int32Array.from(order.filter((i) => r.turns[num(r.turn, i)]?.speaker === s)));
	return r;
}

/** The value of an array of numbers at a place that exists. */
export const num = (list: ArrayLike<number>, at: number): number => list[at] ?? 0;

/** The number of leading elements for which a condition holds, which holds for no element after one without it. */
export function leading(length: number, holds: (at: number) => boolean): number {
	let low = 0;
	let high = length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (holds(middle)) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** The words that are being said at a time: at most one of each speaker. */
export function saidAt(w: Words, ms: number): number[] {
	const found: number[] = [];
	for (const list of w.spoken) {
		const i = list[leading(list.length, (at) => num(w.start, num(list, at)) <= ms) - 1];
		if (i !== undefined && num(w.end, i) > ms) found.push(i);
	}
	return found;
}

/** The last word that began at a time or before; -1 before the first. */
export function begunAt(w: Words, ms: number): number {
	return w.inTime[leading(w.inTime.length, (at) => num(w.start, num(w.inTime, at)) <= ms) - 1] ?? -1;
}

/** The word whose text, with what follows it, contains a place in a turn; -1 if the turn has no words. */
export function wordAt(w: Words, turn: number, offset: number): number {
	const t = w.turns[turn];
	if (t === undefined || t.first === t.last) return -1;
	return t.first + Math.max(0, leading(t.last - t.first, (at) => num(w.from, t.first + at) <= offset) - 1);
}

/** The stretches of text between two times, of one speaker or of all: words that begin in that time. */
export function stretches(w: Words, s: number, e: number, speaker?: string): Stretch[] {
	const begin = leading(w.inTime.length, (at) => num(w.start, num(w.inTime, at)) < s);
	const end = leading(w.inTime.length, (at) => num(w.start, num(w.inTime, at)) < Math.max(e, s + 1));
	const found = new Map<number, Stretch>();
	for (let at = begin; at < end; at++) {
		const i = num(w.inTime, at);
		const turn = num(w.turn, i);
		if (speaker !== undefined && speaker !== "" && w.speakers[w.turns[turn]?.speaker ?? 0] !== speaker) continue;
		const old = found.get(turn);
		const [from, to] = [num(w.from, i), num(w.to, i)];
		found.set(turn, old === undefined ? { turn, from, to } : { turn, from: Math.min(old.from, from), to: Math.max(old.to, to) });
	}
	return [...found.values()];
}

/** The text of stretches. */
export const textOf = (w: Words, list: Stretch[]): string =>
	list.map((x) => w.turns[x.turn]?.text.slice(x.from, x.to) ?? "").join(" … ");

/** Where a text occurs, ignoring case. */
export function occurrences(w: Words, needle: string): Stretch[] {
	const text = needle.trim();
	if (text === "") return [];
	const pattern = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+"), "giu");
	return w.turns.flatMap((t, turn) =>
		Array.from(t.text.matchAll(pattern), (m) => ({ turn, from: m.index, to: m.index + m[0].length })),
	);
}
