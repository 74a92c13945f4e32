// What the colours of the waveform mean, and what is under the pointer.

import { clock } from "kit";
import { type Call, jump } from "./call";
import type { Colours } from "./draw";
import type { Band, Kind, Place } from "./places";

/** Colours as they are now: a canvas does not know variables of style sheets. */
export function colours(near: Element): Colours {
	const probe = near.appendChild(document.createElement("i"));
	const of = (name: string): string => {
		probe.style.color = `var(--${name})`;
		return getComputedStyle(probe).color;
	};
	const found: Colours = {
		speakers: [1, 2, 3, 4, 5, 6].map((n) => of(`speaker-${n}`)),
		quiet: of("quiet"),
		line: of("line"),
		overtalk: of("warn"),
		redaction: of("ink"),
		selection: of("accent"),
		kinds: { hit: of("mark-strong"), category: of("accent"), detection: of("bad"), entity: of("line-strong") },
	};
	probe.remove();
	return found;
}

/** The place nearest to a time, within some distance. */
export function nearest(places: Place[], ms: number, within: number): Place | undefined {
	let found: Place | undefined;
	let least = within;
	for (const p of places) {
		const off = ms < p.s ? p.s - ms : ms > p.e ? ms - p.e : 0;
		if (off <= least) [found, least] = [p, off];
	}
	return found;
}

/** The time under the pointer, and the mark there. */
export function Tip({ x, ms, place, width }: { x: number; ms: number; place?: Place; width: number }) {
	const side = x > width / 2 ? { right: `${width - x + 8}px` } : { left: `${x + 8}px` };
	return (
		<div class="wave-tip" style={side} aria-hidden="true">
			{clock(ms)}
			{place !== undefined && (
				<>
					{" "}
					<bdi>{place.label}</bdi>
				</>
			)}
		</div>
	);
}

const names: Record<Kind | Band["kind"], string> = {
	hit: "Hits",
	category: "Categories",
	detection: "Detections",
	entity: "Entities",
	overtalk: "Overtalk",
	silence: "Silence",
	redaction: "Redacted",
};

/** A button for each kind of mark: it leads to the next one. */
export function Legend({ call, rows }: { call: Call; rows: { kind: Kind; places: Place[] }[] }) {
	const bands = (["overtalk", "silence", "redaction"] as const).map((kind) => ({
		kind,
		places: call.bands.filter((b) => b.kind === kind),
	}));
	const all = [...bands, ...rows].filter((r) => r.places.length > 0);
	if (all.length === 0) return null;
	const next = (places: { s: number }[]) => {
		const now = call.player.now();
		const after = places.find((p) => p.s > now + 50) ?? places[0];
		if (after !== undefined) jump(call, after.s);
	};
	return (
		<ul class="legend" aria-label="Marks">
			{all.map((r) => (
				<li>
					<button type="button" class="plain small" title={`To the next: ${names[r.kind]}`} onClick={() => next(r.places)}>
						<i class={`swatch ${r.kind}`} aria-hidden="true" /> {names[r.kind]}
						<span class="count">{r.places.length}</span>
					</button>
				</li>
			))}
		</ul>
	);
}
