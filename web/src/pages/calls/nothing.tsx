// What stands in place of rows: an account without calls, and a question that no call answers.

import { ask, counted, Empty, link, may, share, useAnswer } from "kit";
import type { Exploration } from "../../kit/wire";
import { periodLabel } from "./bar";
import { chipLabel } from "./label";
import { asked, change, restricted, type State } from "./state";

export function NoCalls({ waiting }: { waiting: boolean }) {
	return (
		<Empty icon="calls" title={waiting ? "No call is finished yet" : "There are no calls yet"}>
			{waiting ? (
				<p>They appear here as soon as they are processed.</p>
			) : may("media:write") ? (
				<>
					<p>Drop recordings anywhere on this page, or begin with the sample call.</p>
					<p class="actions">
						<a class="button primary" href={link("upload")}>
							Upload recordings
						</a>
						<a class="button" href={link("upload", { sample: true })}>
							Try the sample call
						</a>
					</p>
				</>
			) : (
				<p>
					Your key lacks the scope <code>media:write</code>, so it cannot send any.
				</p>
			)}
		</Empty>
	);
}

interface Condition {
	text: string;
	alone: Partial<State>;
	without: Partial<State>;
}

/** What each condition alone finds. */
export function NoHits({ state }: { state: State }) {
	const list: Condition[] = [];
	if (state.words !== "") list.push({ text: `the words ${state.words}`, alone: { words: state.words }, without: { words: "" } });
	if (state.where !== "") list.push({ text: state.where, alone: { where: state.where }, without: { where: "" } });
	for (const c of state.chips) {
		const { not, field, text } = chipLabel(c);
		list.push({ text: `${not ? "not " : ""}${field === undefined ? "" : `${field}: `}${text}`, alone: { chips: [c] }, without: { chips: state.chips.filter((o) => o !== c) } });
	}
	if (state.from + state.until !== "") list.push({ text: `the period ${periodLabel(state)}`, alone: { from: state.from, until: state.until }, without: { from: "", until: "" } });
	if (!restricted(state)) return null;
	return (
		<Empty icon="search" title={list.length > 1 ? "No call meets all of this" : "No call meets this"}>
			{list.length > 1 && <p>What each condition finds alone:</p>}
			<ul class="calls-alone">
				{list.map((c) => (
					<li key={c.text}>
						<bdi>{c.text}</bdi>
						{list.length > 1 && <Alone state={{ words: "", where: "", chips: [], from: "", until: "", ...c.alone }} />}
						<button type="button" onClick={() => change(c.without)}>
							Remove
						</button>
					</li>
				))}
			</ul>
		</Empty>
	);
}

function Alone({ state }: { state: State }) {
	const body = { ...asked(state), include: ["total"] };
	const { value, failure } = useAnswer(JSON.stringify(body), (signal) => ask<Exploration>("POST", "v3/analytics/explore", { body, signal, silent: true }));
	if (failure !== undefined) return <span class="problem">{failure.message}</span>;
	if (value?.totalResults === undefined) return <span class="quiet">…</span>;
	return (
		<span class="number">
			{value.totalIsLowerBound && "at least "}
			{counted(value.totalResults, "call")}
			{value.calls > 0 && <span class="quiet"> {share(value.totalResults / value.calls)}</span>}
		</span>
	);
}
