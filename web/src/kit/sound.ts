// A stretch of a call that plays in place. There is one audio element for all of them.

import { signal } from "@preact/signals";
import { asFailure } from "./answer";
import { address, ask, part } from "./api";
import { say } from "./say";

/** A stretch of a call, in milliseconds. */
export interface Stretch {
	media: string;
	s: number;
	e: number;
}

/** The stretch that plays or is about to; null for silence. */
export const sounding = signal<(Stretch & { heard: boolean }) | null>(null);

/** The stream to play: browsers play it, and seek in it exactly. */
export const bestStream = (streams: readonly { streamName: string }[]): string | undefined =>
	["playable", "redacted-audio", "original"].find((n) => streams.some((s) => s.streamName === n));

/** What is played before and after a stretch, so that it is heard in its place; the longest stretch. */
const [before, after, longest] = [500, 3000, 60_000];

let audio: HTMLAudioElement | undefined;
let end = Infinity; // seconds of the audio, where it stops
let whole = false; // the audio is the whole stream: clips could not be had

function element(): HTMLAudioElement {
	if (audio !== undefined) return audio;
	audio = new Audio();
	audio.preload = "auto";
	document.body.append(audio);
	audio.addEventListener("playing", () => {
		if (sounding.value !== null) sounding.value = { ...sounding.value, heard: true };
	});
	audio.addEventListener("ended", stopSound);
	audio.addEventListener("timeupdate", () => audio !== undefined && audio.currentTime >= end && stopSound());
	audio.addEventListener("error", () => void otherwise());
	return audio;
}

/** The address of a stretch with what is around it. */
function clip(stretch: Stretch, length: number): string {
	const from = Math.max(0, Math.floor(stretch.s) - before);
	const to = Math.min(Math.ceil(stretch.e) + after, from + longest, length > from ? Math.floor(length) : Infinity);
	return address(`v3/media/${part(stretch.media)}/clip`, { s: from, e: to });
}

/** Plays a stretch; what played before stops. The length is that of the call. */
export function playSound(stretch: Stretch, length: number): void {
	sounding.value = { ...stretch, heard: false };
	[whole, end] = [false, Infinity];
	start(clip(stretch, length));
}

function start(source: string): void {
	const a = element();
	if (a.getAttribute("src") !== source || a.error !== null) a.src = source;
	else a.currentTime = 0;
	a.play().catch(() => undefined); // its error event says more, and a stop is none
}

let intended: ReturnType<typeof setTimeout> | undefined;

/** Loads a stretch that somebody points at, unless another one plays: the click is likely to follow. */
export function prepareSound(stretch: Stretch, length: number): void {
	clearTimeout(intended);
	intended = setTimeout(() => {
		const source = clip(stretch, length);
		if (sounding.value === null && element().getAttribute("src") !== source) element().src = source;
	}, 60);
}

/** Nobody points at it any more. */
export const leaveSound = (): void => clearTimeout(intended);

/** Plays from the stream where there is no clip. Says why if there is none either. */
async function otherwise(): Promise<void> {
	const now = sounding.value;
	if (now === null || audio === undefined) return;
	try {
		if (whole) throw new Error("The browser cannot play the recording.");
		whole = true;
		const path = `v3/media/${part(now.media)}/streams`;
		const { streams } = await ask<{ streams: { streamName: string }[] }>("GET", path, { silent: true });
		const name = bestStream(streams);
		if (name === undefined) throw new Error("The recording has no sound that can be played.");
		if (sounding.value?.media !== now.media || sounding.value.s !== now.s) return;
		end = (now.e + after) / 1000;
		audio.addEventListener("loadedmetadata", () => audio && (audio.currentTime = Math.max(0, now.s - before) / 1000), { once: true });
		start(address(`${path}/${name}`));
	} catch (err) {
		stopSound();
		say(err instanceof Error && !("problems" in err) ? err.message : asFailure(err).message, { bad: true });
	}
}

/** Ends what plays. */
export function stopSound(): void {
	if (sounding.value === null) return;
	sounding.value = null;
	audio?.pause();
}

/** Reports whether a stretch plays or is about to. */
export const isSounding = ({ media, s }: Stretch): boolean => sounding.value?.media === media && sounding.value.s === s;

addEventListener("keydown", (e) => {
	if (e.key === "Escape" && sounding.value !== null && document.querySelector("dialog[open]") === null) stopSound();
});
addEventListener("hashchange", stopSound);
