// What all parts of the page share: the item, its words, its player, and how they lead to places.

import { adjust, ask, bestStream, link, part, route, send, type Signal, signal } from "kit";
import type { Media, Streams } from "../../kit/wire";
import { peaks, type Peaks } from "./peaks";
import { type Band, bandsOf, type Place, placesOf } from "./places";
import { Player } from "./player";
import { read, type Words } from "./words";

export interface Range {
	s: number;
	e: number;
}

export interface Call {
	id: string;
	/** Without the words, which are in words. */
	item: Media;
	words: Words | null;
	length: number;
	streams: (signal: AbortSignal) => Promise<Streams>;
	/** The waveform of the whole call. */
	overview: (signal: AbortSignal) => Promise<Peaks>;
	places: Place[];
	bands: Band[];
	player: Player;
	/** The place that the transcript shows, and a number that grows with each request to show it. */
	shown: Signal<{ ms: number; round: number }>;
	/** The moment in the address, once the player has been there: only another one leads it. */
	noted: number;
	/** What is selected in the transcript or in the waveform. */
	selection: Signal<Range | null>;
}

/** What has been asked for already answers the first time; then it is asked for again. */
function begun<T>(first: Promise<T> | undefined, load: (signal: AbortSignal) => Promise<T>): (signal: AbortSignal) => Promise<T> {
	let kept = first;
	kept?.catch(() => undefined); // who asks is told
	return (signal_) => {
		const answer = kept ?? load(signal_);
		kept = undefined;
		return answer;
	};
}

/** Asks for an item, without the parts that no page shows, and for its sound at the same time. */
export async function load(id: string, signal_: AbortSignal): Promise<Call> {
	const listed = (signal: AbortSignal) => ask<Streams>("GET", `v3/media/${part(id)}/streams`, { signal });
	const streams = listed(signal_);
	streams.catch(() => undefined);
	const { value: item } = await send<Media>("GET", `v3/media/${part(id)}`, { query: { omit: ["frq", "v", "p", "text"] }, signal: signal_ });
	const whole = (length: number) => (signal: AbortSignal) => peaks(id, 0, Math.max(1, length), 4000, signal);
	const { length: known } = item;
	const drawn = item.transcript === undefined || known === undefined ? undefined : streams.then((s) => {
		if (bestStream(s.streams) === undefined) throw new Error("The call has no sound."); // nobody asks for its waveform
		return whole(known)(signal_);
	});
	const words = item.transcript === undefined ? null : read(item.transcript);
	delete item.transcript; // the words in it take ten times the memory
	const length = item.length ?? words?.end.reduce((a, b) => Math.max(a, b), 0) ?? 0;
	const call: Call = {
		id,
		item,
		words,
		length,
		streams: begun(streams, listed),
		overview: begun(drawn, whole(length)),
		places: placesOf(item),
		bands: bandsOf(words, length),
		player: new Player(length),
		shown: signal({ ms: 0, round: 0 }),
		noted: 0,
		selection: signal<Range | null>(null),
	};
	return call;
}

/** Plays a place, or shows it where there is no sound. */
export function jump(call: Call, ms: number, until?: number): void {
	if (call.player.audible) call.player.playFrom(ms, until);
	else call.player.seek(ms);
	call.shown.value = { ms, round: call.shown.peek().round + 1 };
	remember(call);
}

/** Moves to a place, and leaves playing as it is. */
export function seek(call: Call, ms: number): void {
	call.player.seek(ms);
	call.shown.value = { ms: call.player.now(), round: call.shown.peek().round + 1 };
	remember(call);
}

let waiting: ReturnType<typeof setTimeout> | undefined;

/** Notes the position in the address, a moment after the last change. */
export function remember(call: Call): void {
	clearTimeout(waiting);
	waiting = setTimeout(() => {
		const here = route.peek();
		if (here.page !== "call" || here.rest[0] !== call.id) return;
		call.noted = Math.round(call.player.now());
		adjust({ t: call.noted || undefined }, { replace: true });
	}, 300);
}

/** The address of a moment of a call. */
export const moment = (id: string, ms: number): string => link(["call", id], { t: Math.round(ms) });

/** The address of the calls that meet a condition. */
export const callsOf = (condition: string): string => link("calls", { where: condition });

/** What people call it. */
export function title(item: Media): string {
	return item.metadata?.title || item.metadata?.externalId || "Call without a title";
}

/** The address of a stream or another part of an item, with what browsers save it as. */
export function fileName(item: Media, ending: string): string {
	return `${title(item).replace(/[^\p{L}\p{N}._ -]+/gu, "_").slice(0, 80)}.${ending}`;
}

/** Deletes an item. */
export const remove = (id: string): Promise<void> => ask("DELETE", `v3/media/${part(id)}`);

/** The class of a speaker's colour. */
export const colour = (speaker: number): string => `speaker-${(Math.max(0, speaker) % 6) + 1}`;

/** Milliseconds as words: "4 min 7 s". */
export function spoken(ms: number): string {
	const s = Math.floor(ms / 1000);
	const [h, m] = [Math.floor(s / 3600), Math.floor(s / 60) % 60];
	return `${h > 0 ? `${h} h ` : ""}${h > 0 || m > 0 ? `${m} min ` : ""}${s % 60} s`;
}
