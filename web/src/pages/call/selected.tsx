// What can be done with a selected part of the call.

import { address, clock, Copy, IconButton, may, part } from "kit";
import { type Call, fileName, moment, type Range } from "./call";
import { turnOf } from "./turns";
import { leading, num, wordAt, type Words } from "./words";

/** The longest clip, in milliseconds. */
export const longest = 60_000;

/** The times of the words that are selected; null if none are. */
export function selectedRange(w: Words, texts: Text[]): Range | null {
	const chosen = getSelection();
	if (chosen === null || chosen.isCollapsed || chosen.rangeCount === 0) return null;
	const range = chosen.getRangeAt(0);
	const first = edge(w, texts, range.startContainer, range.startOffset, false);
	const last = edge(w, texts, range.endContainer, range.endOffset, true);
	if (first < 0 || last < first) return null;
	let [s, e] = [Infinity, 0];
	for (let i = first; i <= last; i++) [s, e] = [Math.min(s, num(w.start, i)), Math.max(e, num(w.end, i))];
	return { s, e };
}

/** The word at an end of a selection. */
function edge(w: Words, texts: Text[], node: Node, offset: number, end: boolean): number {
	const turn = turnOf(node);
	const t = w.turns[turn];
	if (t === undefined) return -1;
	if (node === texts[turn]) return wordAt(w, turn, end ? Math.max(0, offset - 1) : offset);
	return end ? t.first - 1 : t.first; // beside the text: at the beginning of the turn
}

/** The text between two times, a line for each turn, each with its time. */
export function withTimes(w: Words, r: Range): string {
	return w.turns
		.filter((t) => t.first < t.last && t.s < r.e && t.e > r.s)
		.map((t) => {
			const first = t.first + leading(t.last - t.first, (i) => num(w.start, t.first + i) < r.s);
			const last = t.first + leading(t.last - t.first, (i) => num(w.start, t.first + i) < r.e);
			if (last <= first) return "";
			const text = t.text.slice(num(w.from, first), last === t.last ? undefined : num(w.from, last)).trim();
			const name = w.speakers[t.speaker] ?? "";
			return `[${clock(num(w.start, first))}] ${name === "" ? "" : `${name}: `}${text}`;
		})
		.filter((line) => line !== "")
		.join("\n");
}

/** The address of a clip of a call. */
export const clip = (call: Call, r: Range): string =>
	address(`v3/media/${part(call.id)}/clip`, { s: Math.round(r.s), e: Math.min(Math.round(r.e), call.length), download: true });

export function Selected({ call, w }: { call: Call; w: Words }) {
	const r = call.selection.value;
	if (r === null || r.e <= r.s) return null;
	const long = r.e - r.s > longest;
	const here = () => new URL(moment(call.id, r.s), location.href).href;
	return (
		<div class="selected" role="group" aria-label="Selected part" onMouseDown={(e) => e.preventDefault()}>
			<span class="number">
				{clock(r.s)}–{clock(r.e)}
			</span>
			{call.player.audible && <IconButton icon="play" label="Play the selected part" onClick={() => call.player.playFrom(r.s, r.e)} />}
			<Copy label="Copy with times" text={() => withTimes(w, r)} />
			<Copy label="Copy link" text={here} />
			{call.player.audible && may("media:read") && (long
				? <span class="quiet small">A clip has at most {longest / 1000} s.</span>
				: <a class="button" href={clip(call, r)} download={fileName(call.item, `${Math.round(r.s / 1000)}.wav`)}>Download clip</a>)}
			<IconButton icon="close" label="Select nothing" onClick={() => (getSelection()?.removeAllRanges(), (call.selection.value = null))} />
		</div>
	);
}
