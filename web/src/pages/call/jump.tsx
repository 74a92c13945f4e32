// Entries that lead to their places.

import { clock, type ComponentChildren, useState } from "kit";
import { type Call, jump } from "./call";

/** A button that leads to a place. */
export function Jump({ call, s, e, speaker, children }: { call: Call; s: number; e?: number; speaker?: string; children?: ComponentChildren }) {
	return (
		<button type="button" class="jump" onClick={() => jump(call, s)} title={e === undefined ? undefined : `${clock(s)}–${clock(e)}`}>
			<span class="number">{clock(s)}</span>
			{speaker !== undefined && speaker !== "" && <bdi class="quiet">{speaker}</bdi>}
			{children}
		</button>
	);
}

/** Several places of one thing; the first dozen, until somebody asks for all. */
export function Jumps({ call, places }: { call: Call; places: { s: number; e: number; speaker?: string; text?: string }[] }) {
	const [all, setAll] = useState(false);
	const shown = all ? places : places.slice(0, 12);
	return (
		<div class="jumps">
			{shown.map((p) => (
				<Jump call={call} s={p.s} e={p.e} speaker={p.speaker}>
					{p.text !== undefined && <bdi>{p.text}</bdi>}
				</Jump>
			))}
			{shown.length < places.length && (
				<button type="button" class="text small" onClick={() => setAll(true)}>
					and {places.length - shown.length} more
				</button>
			)}
		</div>
	);
}
