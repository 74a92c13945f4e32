// Applying a saved category to past calls, with its progress.

import { ask, count, Failed, may, part, Section, share, useAnswer, useChange, useEvery, when } from "kit";
import type { Apply as Application } from "../../kit/wire";

export function Apply({ name, changed }: { name: string; changed: boolean }) {
	const path = `v3/definition/categories/${part(name)}/apply`;
	// 204 if it was never applied
	const answer = useAnswer(name, async (signal) => (await ask<Application | "">("GET", path, { signal, silent: true })) || null, { keep: true });
	const start = useChange(async () => answer.set(await ask<Application>("POST", path)));
	const running = answer.value?.status === "running";
	useEvery(1000, answer.again, running);
	return (
		<Section
			title="Past calls"
			actions={
				<button type="button" disabled={changed || running || start.busy || !may("media:write")} onClick={() => start.run()}>
					Apply to past calls
				</button>
			}
		>
			{!may("media:write") && <p class="hint">Your key lacks the scope media:write, which applying needs.</p>}
			{changed && <p class="hint">Save your changes first: what is saved is applied.</p>}
			{start.failure !== undefined && <Failed failure={start.failure} what="Not started" />}
			{answer.failure !== undefined && <Failed failure={answer.failure} again={answer.again} />}
			{answer.value === null && <p class="quiet">It was never applied to past calls.</p>}
			{answer.value != null && <Progress a={answer.value} />}
		</Section>
	);
}

function Progress({ a }: { a: Application }) {
	const matched = a.matched === undefined ? "" : `, ${count(a.matched)} match${a.done > 0 ? ` (${share(a.matched / a.done)})` : ""}`;
	return (
		<div role="status">
			{a.status === "running" && <progress value={a.percent} max={100} aria-label="Calls that are judged" />}
			<p>
				{a.status === "running" && `${a.percent} %: ${count(a.done)} of ${count(a.calls)} calls judged${matched}`}
				{a.status === "finished" && `${count(a.done)} calls judged${matched}, ${when(a.dateFinished ?? a.dateStarted)}`}
				{a.status === "failed" && `It ended before all calls were judged, at ${count(a.done)} of ${count(a.calls)}. Apply it again.`}
			</p>
		</div>
	);
}
