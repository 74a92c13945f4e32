// What is said in the call: topics, entities, keywords, groups, actions. Each entry leads to its places.

import { type ComponentChildren, share } from "kit";
import type { Keyword } from "../../kit/wire";
import { type Call, callsOf } from "./call";
import { Jumps } from "./jump";

/** The places of a keyword, in order of time. */
const placesOf = (k: Keyword) =>
	k.mentions
		.flatMap((m) => m.occurrences.map((o) => ({ s: o.s, e: o.e, speaker: m.speakerName })))
		.sort((a, b) => a.s - b.s);

const quoted = (text: string): string => `"${text.replace(/["\\]/g, " ")}"`;

function Entry({ name, note, href, children }: { name: string; note?: ComponentChildren; href?: string; children: ComponentChildren }) {
	return (
		<li class="entry">
			<div class="entry-head">
				<bdi>{name}</bdi>
				{note !== undefined && <span class="quiet small">{note}</span>}
				{href !== undefined && (
					<a class="small" href={href} aria-label={`Calls with ${name}`}>
						Calls
					</a>
				)}
			</div>
			{children}
		</li>
	);
}

function KeywordEntry({ call, k }: { call: Call; k: Keyword }) {
	return (
		<Entry name={k.keyword} note={`relevance ${share(k.relevance)}`} href={callsOf(`* SAYS ${quoted(k.keyword)}`)}>
			<Jumps call={call} places={placesOf(k)} />
		</Entry>
	);
}

export function Keywords({ call }: { call: Call }) {
	return (
		<ul class="entries">
			{(call.item.knowledge?.keywords ?? []).map((k) => (
				<KeywordEntry call={call} k={k} />
			))}
		</ul>
	);
}

export function Topics({ call }: { call: Call }) {
	return (
		<ul class="entries">
			{(call.item.knowledge?.topics ?? []).map((t) => (
				<Entry name={t.topicName} note={`relevance ${share(t.relevance)}`}>
					{t.subtopics.length > 0 && (
						<p class="small">
							{t.subtopics.map((s, i) => (
								<span>
									{i > 0 && ", "}
									<bdi>{s.name}</bdi> <span class="quiet">{share(s.score)}</span>
								</span>
							))}
						</p>
					)}
					<ul class="entries inner">
						{t.keywords.map((k) => (
							<Entry name={k.keyword}>
								<Jumps call={call} places={placesOf(k)} />
							</Entry>
						))}
					</ul>
				</Entry>
			))}
		</ul>
	);
}

export function Entities({ call }: { call: Call }) {
	const types = new Map<string, NonNullable<Call["item"]["entities"]>>();
	for (const e of call.item.entities ?? []) types.set(e.type, [...(types.get(e.type) ?? []), e]);
	return (
		<ul class="entries">
			{[...types].map(([type, list]) => (
				<Entry name={type.charAt(0).toUpperCase() + type.slice(1)} note={list.length}>
					<Jumps
						call={call}
						places={list.map((e) => ({
							s: e.s,
							e: e.e,
							speaker: e.speakerName,
							text: e.formattedText === undefined || e.formattedText === e.text ? e.text : `${e.formattedText} (${e.text})`,
						}))}
					/>
				</Entry>
			))}
		</ul>
	);
}

export function Spotted({ call }: { call: Call }) {
	return (
		<ul class="entries">
			{(call.item.spotting?.groups ?? []).map((g) => (
				<Entry
					name={g.groupName}
					note={g.spotted ? `${share(Number(g.score))} of its keywords` : "not spotted"}
					href={callsOf(`spotting:${quoted(g.groupName)} = ${g.spotted ? 1 : 0}`)}
				>
					<ul class="entries inner">
						{g.spottedKeywords.map((k) => (
							<Entry name={k.keyword}>
								<Jumps call={call} places={placesOf(k)} />
							</Entry>
						))}
					</ul>
				</Entry>
			))}
		</ul>
	);
}

export function Verbs({ call }: { call: Call }) {
	return (
		<ul class="entries">
			{(call.item.conversation?.speakerVerbNounPairs ?? []).map((s) => (
				<Entry name={s.speakerName || "Speaker"} note={s.verbNounPairs.length}>
					<Jumps
						call={call}
						places={s.verbNounPairs.map((p) => ({
							s: p.s,
							e: p.e,
							text: `${[p.verbNeg, p.verb, p.nounNeg, p.noun].filter(Boolean).join(" ")}${p.question ? "?" : ""}`,
						}))}
					/>
				</Entry>
			))}
		</ul>
	);
}
