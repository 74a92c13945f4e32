// The places where a condition of the address holds in this call.

import { adjust, asFailure, ask, type Failure, IconButton, may, part, useAnswer, useKeys, useMemo, useState } from "kit";
import type { Answer as Rows, Why } from "../../kit/wire";
import { type Call, callsOf, jump } from "./call";
import { conditionOf, hitsOf, partial, type Place } from "./places";
import { WhyTree } from "./why";

export interface Hits {
	condition: string;
	why?: Why;
	list: Place[];
	loading: boolean;
	failure?: Failure;
	again: () => void;
}

/** Finds the hits of the address in a call: q is a condition, words are as in the search of calls. */
export function useHits(call: Call, q: string, words: string): Hits {
	const condition = q || conditionOf(words);
	const wanted = condition !== "" && may("analytics") && call.words !== null;
	const answer = useAnswer(wanted ? `${call.id} ${condition}` : null, async (signal) => {
		const why = await ask<Why>("POST", `v3/media/${part(call.id)}/why`, { body: { query: condition }, signal });
		let list = hitsOf(why.condition);
		// an answer lists ten places of each part; a statement has all, of calls that statements cover
		if (partial(why.condition)) list = union(list, await all(call.id, condition, signal).catch(() => []));
		return { why, list };
	});
	const empty = useMemo<Place[]>(() => [], []);
	return { condition, why: answer.value?.why, list: answer.value?.list ?? empty, loading: wanted && answer.loading, failure: answer.failure && asFailure(answer.failure), again: answer.again };
}

async function all(id: string, condition: string, signal: AbortSignal): Promise<Place[]> {
	const body = `SELECT hits() FROM media WHERE mediaId = "${id}" AND (${condition})`;
	const rows = await ask<Rows>("POST", "v3/analytics/vbql", { body, headers: { "Content-Type": "text/plain" }, signal });
	return (rows.hits[0] ?? []).map(({ fieldValues: f }) => ({ kind: "hit", s: f.startMs, e: f.endMs, speaker: f.speaker, label: f.text }));
}

const union = (a: Place[], b: Place[]): Place[] =>
	[...new Map([...a, ...b].map((p) => [`${p.s} ${p.e}`, p])).values()].sort((x, y) => x.s - y.s);

/** The condition, how often it holds, and buttons that walk over its places. */
export function HitBar({ call, hits, words }: { call: Call; hits: Hits; words: string }) {
	const [open, setOpen] = useState(false);
	// kept with its list: an effect that reset it could come after the first step
	const [looked, look] = useState({ list: hits.list, at: -1 });
	const at = looked.list === hits.list ? looked.at : -1;
	const walk = (step: number) => {
		if (hits.list.length === 0) return;
		const now = call.player.now();
		const next = at < 0 && step > 0 ? hits.list.findIndex((h) => h.s > now + 50) : at + step;
		const to = (next + hits.list.length) % hits.list.length;
		look({ list: hits.list, at: to });
		const hit = hits.list[to];
		if (hit !== undefined) jump(call, hit.s);
	};
	useKeys([
		{ key: "n", does: "To the next hit", run: () => walk(1) },
		{ key: "p", does: "To the hit before", run: () => walk(-1) },
	]);
	if (hits.condition === "") return null;
	const n = hits.list.length;
	return (
		<div class="hits">
			<div class="hits-row">
				<strong role="status">
					{!may("analytics") ? "Hits need the scope analytics" : hits.loading ? "Looking for hits…" : n === 0 ? (hits.why?.holds ? "Holds, without a place" : "No hit") : at < 0 ? `${n} ${n === 1 ? "hit" : "hits"}` : `Hit ${at + 1} of ${n}`}
				</strong>
				<code title={hits.condition}><bdi>{words || hits.condition}</bdi></code>
				<IconButton icon="up" label="The hit before" disabled={n === 0} onClick={() => walk(-1)} />
				<IconButton icon="down" label="The next hit" disabled={n === 0} onClick={() => walk(1)} />
				{hits.why !== undefined && (
					<button type="button" class="plain" aria-expanded={open} onClick={() => setOpen(!open)}>
						{hits.why.holds ? "Why?" : "Why not?"}
					</button>
				)}
				<a href={callsOf(hits.condition)}>All calls with it</a>
				<IconButton icon="close" label="Forget the condition" onClick={() => adjust({ q: "", words: "" })} />
			</div>
			{hits.failure !== undefined && (
				<p class="problem" role="alert">
					{hits.failure.message}{" "}
					<button type="button" class="text" onClick={hits.again}>Try again</button>
				</p>
			)}
			{open && hits.why !== undefined && <WhyTree call={call} why={hits.why} />}
		</div>
	);
}
