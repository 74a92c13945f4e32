// Why a condition holds in a call, or does not: a tree of its parts, their places and their nearest misses.

import { ask, Failed, Icon, Loading, part, useAnswer } from "kit";
import type { MatchPlace, Why, WhyPart } from "../../kit/wire";
import { type Call, callsOf } from "./call";
import { Jump } from "./jump";

/** Asks why a category matches a call or not, and shows the answer. */
export function WhyCategory({ call, name }: { call: Call; name: string }) {
	const answer = useAnswer(`${call.id} ${name}`, (signal) =>
		ask<Why>("POST", `v3/media/${part(call.id)}/why`, { body: { categoryName: name }, signal }),
	);
	if (answer.failure !== undefined) return <Failed failure={answer.failure} again={answer.again} what="Could not find out why" />;
	if (answer.value === undefined) return <Loading what="the reasons" />;
	return <WhyTree call={call} why={answer.value} />;
}

export function WhyTree({ call, why }: { call: Call; why: Why }) {
	return (
		<div class="why">
			<ul>
				<Part call={call} part={why.condition} decisive />
			</ul>
			{why.incomplete && <p class="quiet small">Not all places and misses are shown: finding them would take too long.</p>}
		</div>
	);
}

const joined: Partial<Record<WhyPart["kind"], string>> = {
	and: "All of these", or: "Any of these", not: "Not this", turnAnd: "All of these in one turn",
	turnOr: "Any of these in a turn", turnNot: "Not this in the turn", followed: "One after the other",
};

function Part({ call, part: p, decisive }: { call: Call; part: WhyPart; decisive: boolean }) {
	const word = joined[p.kind];
	return (
		<li class={decisive ? "why-part" : "why-part aside"}>
			<span class={p.holds ? "badge good" : "badge bad"}>
				<Icon name={p.holds ? "check" : "close"} size={12} /> {p.holds ? "holds" : "does not hold"}
			</span>{" "}
			{p.mustNot && <span class="quiet">must not follow: </span>}
			{word !== undefined && p.parts !== undefined ? <span>{word}</span> : <code><bdi>{p.text}</bdi></code>}
			{p.hits !== undefined && p.hits.length > 0 && (
				<div class="why-places">
					{p.hits.map((h) => <PlaceOf call={call} at={h} />)}
					{(p.hitCount ?? 0) > p.hits.length && <span class="quiet small">and {(p.hitCount ?? 0) - p.hits.length} more</span>}
				</div>
			)}
			{p.misses !== undefined && p.misses.length > 0 && (
				<ul class="why-misses" aria-label="Nearest misses">
					{p.misses.map((m) => (
						<li>
							<bdi>{m.message}</bdi>
							{m.condition !== undefined && (
								<>
									{" "}
									<a class="small" href={callsOf(m.condition)}>Calls like this</a>
								</>
							)}
							{m.places !== undefined && <div class="why-places">{m.places.map((h) => <PlaceOf call={call} at={h} />)}</div>}
						</li>
					))}
				</ul>
			)}
			{p.parts !== undefined && (
				<ul>
					{p.parts.map((below, i) => (
						<Part call={call} part={below} decisive={p.decisive === undefined || p.decisive.includes(i)} />
					))}
				</ul>
			)}
		</li>
	);
}

function PlaceOf({ call, at }: { call: Call; at: MatchPlace }) {
	return (
		<Jump call={call} s={at.startMs} e={at.endMs} speaker={at.speaker}>
			<bdi>
				{at.before !== undefined && <span class="quiet">…{at.before} </span>}
				<mark>{at.text}</mark>
				{at.after !== undefined && <span class="quiet"> {at.after}…</span>}
			</bdi>
		</Jump>
	);
}
