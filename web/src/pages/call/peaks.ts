// Waveforms that the server has made: the format of BBC audiowaveform, version 2, with 8 bits.

import { part, raw } from "kit";

export interface Peaks {
	channels: number;
	/** Points of each channel. */
	length: number;
	/** Milliseconds: when the first point begins, how long each lasts. */
	start: number;
	step: number;
	/** For each point, and in it for each channel, the smallest and the largest sample. */
	data: Int8Array;
}

/** Asks for the waveform of a part of a call. */
export async function peaks(id: string, from: number, to: number, points: number, signal?: AbortSignal): Promise<Peaks> {
	const response = await raw("GET", `v3/media/${part(id)}/peaks`, {
		query: { from: Math.floor(from), to: Math.ceil(to), points },
		headers: { Accept: "application/octet-stream" },
		signal,
		silent: from > 0,
	});
	return parse(await response.arrayBuffer(), Number(response.headers.get("Peaks-Start") ?? 0));
}

export function parse(bytes: ArrayBuffer, start: number): Peaks {
	const head = new DataView(bytes);
	const [rate, per, length, channels] = [8, 12, 16, 20].map((at) => head.getUint32(at, true)) as [number, number, number, number];
	return { channels, length, start, step: (per / rate) * 1000, data: new Int8Array(bytes, 24, length * channels * 2) };
}

/** The largest deviation of a channel between two times, 0 to 128. */
export function loudest(p: Peaks, channel: number, s: number, e: number): number {
	const first = Math.max(0, Math.floor((s - p.start) / p.step));
	const last = Math.min(p.length - 1, Math.max(first, Math.ceil((e - p.start) / p.step) - 1));
	let most = 0;
	for (let i = first; i <= last; i++) {
		const at = (i * p.channels + channel) * 2;
		most = Math.max(most, p.data[at + 1] ?? 0, -(p.data[at] ?? 0));
	}
	return most;
}

/**
 * Which speaker is on which channel: the result does not say it, so each channel gets the speaker during whose talk it
 * is loudest. -1 for channels without a speaker.
 */
export function lanes(p: Peaks, activity: { occurrences: { s: number; e: number }[] }[], apart: boolean): number[] {
	if (!apart || p.channels < 2) return Array.from({ length: p.channels }, () => -1);
	const energy = (channel: number, speaker: number): number => {
		let sum = 0;
		let time = 1;
		for (const o of activity[speaker]?.occurrences ?? []) {
			sum += loudest(p, channel, o.s, o.e) * (o.e - o.s);
			time += o.e - o.s;
		}
		return sum / time;
	};
	const pairs = activity
		.flatMap((_, speaker) => Array.from({ length: p.channels }, (_, channel) => ({ speaker, channel })))
		.map((x) => {
			const others = activity.map((_, s) => energy(x.channel, s)).filter((_, s) => s !== x.speaker);
			return { ...x, by: energy(x.channel, x.speaker) - Math.max(0, ...others) };
		})
		.sort((a, b) => b.by - a.by);
	const found = Array.from({ length: p.channels }, () => -1);
	for (const { speaker, channel } of pairs) {
		if (found[channel] === -1 && !found.includes(speaker)) found[channel] = speaker;
	}
	return found;
}
