// Draws waveforms and marks on a canvas.

import type { Range } from "./call";
import { loudest, type Peaks } from "./peaks";
import type { Band, Kind, Place } from "./places";
import type { Words } from "./words";

/** Heights, in pixels of CSS. */
export const rowHeight = 7;
export const gap = 2;

export interface Picture {
	view: { from: number; to: number };
	width: number;
	/** Of each lane. */
	lane: number;
	/** For each lane its speaker, or -1. */
	speakers: number[];
	peaks: Peaks | null;
	words: Words | null;
	bands: Band[];
	rows: { kind: Kind; places: Place[] }[];
	selection: Range | null;
	colours: Colours;
}

export interface Colours {
	speakers: string[];
	quiet: string;
	line: string;
	overtalk: string;
	redaction: string;
	selection: string;
	kinds: Record<Kind, string>;
}

/** The height of a picture with a number of lanes and rows. */
export const heightOf = (lanes: number, lane: number, rows: number): number =>
	lanes * lane + rowHeight + gap + rows * (rowHeight + gap);

/** An empty canvas of a size in CSS pixels. */
function empty(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
	const ratio = devicePixelRatio;
	if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
	if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
	const g = canvas.getContext("2d");
	g?.setTransform(ratio, 0, 0, ratio, 0, 0);
	g?.clearRect(0, 0, width, height);
	return g;
}

/**
 * Draws the position. It is a canvas because that leaves the document as it is: whenever an element or its style changes,
 * browsers go through all marks of the transcript, in each frame while it plays.
 */
export function drawHead(canvas: HTMLCanvasElement, x: number, width: number, height: number, colour: string): void {
	const g = empty(canvas, width, height);
	if (g === null) return;
	g.fillStyle = colour;
	g.fillRect(x - 1, 0, 2, height);
}

/** Draws all but the playing position. */
export function draw(canvas: HTMLCanvasElement, p: Picture): void {
	const height = heightOf(p.speakers.length, p.lane, p.rows.length);
	const g = empty(canvas, p.width, height);
	if (g === null) return;
	const x = (ms: number) => ((ms - p.view.from) / (p.view.to - p.view.from)) * p.width;
	const box = (s: number, e: number, top: number, h: number, least = 1) => {
		if (e < p.view.from || s > p.view.to) return;
		const left = Math.max(-2, x(s));
		g.fillRect(left, top, Math.max(least, Math.min(p.width + 2, x(e)) - left), h);
	};
	p.speakers.forEach((speaker, channel) => lane(g, p, channel, speaker, box));
	if (p.selection !== null) {
		g.globalAlpha = 0.25;
		g.fillStyle = p.colours.selection;
		box(p.selection.s, p.selection.e, 0, p.speakers.length * p.lane);
		g.globalAlpha = 1;
	}
	const strip = p.speakers.length * p.lane;
	g.fillStyle = p.colours.line;
	g.globalAlpha = 0.35;
	g.fillRect(0, strip, p.width, rowHeight);
	g.globalAlpha = 1;
	for (const b of p.bands) {
		if (b.kind === "silence") {
			g.fillStyle = p.colours.quiet;
			box(b.s, b.e, strip + 3, 1);
		} else {
			g.fillStyle = b.kind === "overtalk" ? p.colours.overtalk : p.colours.redaction;
			box(b.s, b.e, b.kind === "redaction" ? 0 : strip, b.kind === "redaction" ? strip + rowHeight : rowHeight, 2);
		}
	}
	p.rows.forEach((row, i) => {
		g.fillStyle = p.colours.kinds[row.kind];
		const top = strip + (i + 1) * (rowHeight + gap);
		for (const m of row.places) box(m.s, m.e, top, rowHeight, 3);
	});
}

function lane(
	g: CanvasRenderingContext2D,
	p: Picture,
	channel: number,
	speaker: number,
	box: (s: number, e: number, top: number, h: number) => void,
): void {
	const top = channel * p.lane;
	const inner = p.lane - 4;
	const colour = speaker < 0 ? p.colours.quiet : (p.colours.speakers[speaker % p.colours.speakers.length] ?? p.colours.quiet);
	g.globalAlpha = 0.13;
	p.words?.activity.forEach((a, i) => {
		if (speaker >= 0 && i !== speaker) return;
		g.fillStyle = speaker < 0 ? (p.colours.speakers[i % p.colours.speakers.length] ?? colour) : colour;
		for (const o of a.occurrences) box(o.s, o.e, top, p.lane - 2);
	});
	g.globalAlpha = 1;
	g.fillStyle = colour;
	const middle = top + p.lane / 2 - 1;
	if (p.peaks === null || channel >= p.peaks.channels) {
		g.globalAlpha = 0.4;
		g.fillRect(0, middle, p.width, 1);
		g.globalAlpha = 1;
		return;
	}
	bars(g, p.peaks, channel, p, middle, inner / 2);
}

/** A bar for each pixel. */
function bars(
	g: CanvasRenderingContext2D,
	peaks: Peaks,
	channel: number,
	p: { view: { from: number; to: number }; width: number },
	middle: number,
	half: number,
): void {
	const per = (p.view.to - p.view.from) / p.width;
	const scale = half / most(peaks);
	g.beginPath();
	for (let px = 0; px < p.width; px++) {
		const from = p.view.from + px * per;
		const h = Math.max(0.5, loudest(peaks, channel, from, from + per) * scale);
		g.rect(px, middle - h, 1, 2 * h);
	}
	g.fill();
}

const greatest = new WeakMap<Peaks, number>();

/** The largest deviation of all channels; that of a whisper is 16, so that noise stays small. */
function most(p: Peaks): number {
	let found = greatest.get(p);
	if (found === undefined) {
		found = 16;
		for (const v of p.data) found = Math.max(found, Math.abs(v));
		greatest.set(p, found);
	}
	return found;
}

/** Draws the whole call, small. */
export function drawMap(canvas: HTMLCanvasElement, peaks: Peaks, length: number, width: number, height: number, colour: string): void {
	const g = empty(canvas, width, height);
	if (g === null) return;
	g.fillStyle = colour;
	for (let c = 0; c < peaks.channels; c++) {
		bars(g, peaks, c, { view: { from: 0, to: length }, width }, height / 2, height / 2);
	}
}
