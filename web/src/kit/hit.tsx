// A place in a call: who said what when, and a button that plays it where it stands.

import { clock } from "./format";
import { Icon } from "./icon";
import { link } from "./route";
import { may } from "./session";
import { isSounding, leaveSound, playSound, prepareSound, sounding, type Stretch, stopSound } from "./sound";
import type { Match } from "./wire";

/** The stretch of a place. */
export const stretchOf = (media: string, { fieldValues: v }: Match): Stretch => ({ media, s: v.startMs, e: v.endMs });

/** The length of the call of a place, in milliseconds; endless for the first moment, which does not tell. */
const lengthOf = ({ fieldValues: v }: Match): number => (v.startRatio > 0 ? v.startMs / v.startRatio : Infinity);

/** Plays a place, or stops it if it plays. */
export function toggleHit(media: string, match: Match, length = lengthOf(match)): void {
	const stretch = stretchOf(media, match);
	if (isSounding(stretch)) stopSound();
	else playSound(stretch, length);
}

/** A place with its time, which leads to the call at this moment, its speaker and its words. */
export function Hit({ media, match, length, tabIndex }: {
	media: string;
	match: Match;
	/** Of the call, in milliseconds; by default as its place tells. */
	length?: number;
	tabIndex?: number;
}) {
	const v = match.fieldValues;
	const at = clock(v.startMs);
	const on = isSounding({ media, s: v.startMs, e: v.endMs });
	const waits = on && sounding.value?.heard === false;
	return (
		<span class="hit">
			{may("media:read") && (
				<button
					type="button"
					class="hit-play"
					tabIndex={tabIndex}
					aria-pressed={on}
					aria-busy={waits}
					aria-label={on ? `Stop, ${at}` : `Play at ${at}`}
					title={on ? "Stop (Esc)" : `Play at ${at}`}
					onClick={() => toggleHit(media, match, length)}
					onPointerEnter={() => prepareSound(stretchOf(media, match), length ?? lengthOf(match))}
					onPointerLeave={leaveSound}
				>
					<Icon name={on ? "pause" : "play"} size={14} />
				</button>
			)}
			<a class="hit-time" tabIndex={tabIndex} href={link(["call", media], { t: v.startMs })} title="Open the call at this moment">
				{at}
			</a>
			{v.speaker !== "" && <bdi class="hit-speaker">{v.speaker}</bdi>}
			<bdi class="hit-words" title={`${v.before ?? ""} ${v.text} ${v.after ?? ""}`.trim()}>
				{v.before !== undefined && `…${v.before} `}
				<mark>{v.text === "" ? match.conditions[0] : v.text}</mark>
				{v.after !== undefined && ` ${v.after}…`}
			</bdi>
		</span>
	);
}
