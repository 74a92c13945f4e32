// Places of a call that its results name, as marks of the waveform and of the transcript.

import type { Media, WhyPart } from "../../kit/wire";
import { num, type Words } from "./words";

export type Kind = "hit" | "category" | "detection" | "entity";

export interface Place {
	kind: Kind;
	s: number;
	e: number;
	speaker: string;
	label: string;
}

export interface Band {
	kind: "overtalk" | "silence" | "redaction";
	s: number;
	e: number;
}

/** The places of the results of an item, in order of time. */
export function placesOf(item: Media): Place[] {
	const found: Place[] = [];
	for (const c of item.categories ?? []) {
		for (const m of c.categoryMatches ?? []) {
			for (const o of m.occurrences) found.push({ ...o, kind: "category", speaker: m.speakerName, label: c.categoryName });
		}
	}
	for (const d of item.prediction?.detectors ?? []) {
		for (const c of d.detections) {
			for (const o of distinct(c.detectedSegments)) found.push({ ...o, kind: "detection", label: `${d.detectorDisplayName}: ${c.detectorClassLabel}` });
		}
	}
	for (const e of item.entities ?? []) {
		found.push({ kind: "entity", s: e.s, e: e.e, speaker: e.speakerName ?? "", label: `${e.type}: ${e.formattedText ?? e.text}` });
	}
	return found.sort(byTime);
}

export const byTime = (a: { s: number }, b: { s: number }): number => a.s - b.s;

type Segments = NonNullable<NonNullable<Media["prediction"]>["detectors"]>[number]["detections"][number]["detectedSegments"];

/** A region is listed for each speaker who says a word of it: once here. */
export function distinct(segments: Segments): { s: number; e: number; speaker: string }[] {
	const found = new Map<string, { s: number; e: number; speaker: string }>();
	for (const s of segments) {
		for (const o of s.occurrences) {
			const key = `${o.s} ${o.e}`;
			const old = found.get(key);
			found.set(key, { ...o, speaker: old === undefined ? s.speakerName : `${old.speaker}, ${s.speakerName}` });
		}
	}
	return [...found.values()].sort(byTime);
}

/** The places of the parts of a condition that hold, each once. */
export function hitsOf(part: WhyPart): Place[] {
	const found = new Map<string, Place>();
	const walk = (p: WhyPart) => {
		if (p.kind === "not" || p.kind === "turnNot" || p.mustNot) return;
		for (const h of p.hits ?? []) {
			found.set(`${h.startMs} ${h.endMs}`, { kind: "hit", s: h.startMs, e: h.endMs, speaker: h.speaker, label: h.text || p.text });
		}
		for (const below of p.parts ?? []) walk(below);
	};
	walk(part);
	return [...found.values()].sort(byTime);
}

/** Reports whether a part has more places than the answer lists. */
export const partial = (p: WhyPart): boolean =>
	(p.hitCount ?? 0) > (p.hits?.length ?? 0) || (p.parts ?? []).some(partial);

const silence = 4000; // ms; as the metrics count it

/** Stretches in which several talk, nobody talks, or words are redacted. */
export function bandsOf(w: Words | null, length: number): Band[] {
	if (w === null) return [];
	const found: Band[] = [];
	const all = w.activity.flatMap((a) => a.occurrences).sort(byTime);
	let reached = 0;
	for (const o of all) {
		if (o.s - reached > silence) found.push({ kind: "silence", s: reached, e: o.s });
		if (w.apart && o.s < reached) found.push({ kind: "overtalk", s: o.s, e: Math.min(o.e, reached) });
		reached = Math.max(reached, o.e);
	}
	if (all.length > 0 && length - reached > silence) found.push({ kind: "silence", s: reached, e: length });
	w.hidden.forEach((h, i) => h === 1 && found.push({ kind: "redaction", s: num(w.start, i), e: num(w.end, i) }));
	return found;
}

/** The condition of the query language for words as in the search of calls: what is said of them is shown. */
export function conditionOf(words: string): string {
	const terms = [...words.matchAll(/(-?)(?:(\w+):)?("([^"]*)"|[^\s()"]+)/g)]
		.filter(([, no, field, text]) => no !== "-" && (field === undefined || field === "transcript") && text !== "OR" && text !== "AND")
		.map((m) => (m[4] ?? m[3] ?? "").replaceAll(/["\\]/g, ""))
		.filter((t) => t !== "" && t !== "*");
	return terms.length === 0 ? "" : `* SAYS (${terms.map((t) => `"${t}"`).join(" || ")})`;
}
