// The queue: what waits, runs, and has failed for good; dead jobs can run again.

import { adjust, ask, count, Empty, Failed, link, part, type Route, say, Show, useAnswer, useChange, useEvery, when } from "kit";
import type { Queue as QueueState, QueuedJob } from "../../kit/wire";

const states = { waiting: "Waiting", running: "Running", dead: "Failed for good" } as const;

export function Queue({ route }: { route: Route }) {
	const wanted = route.query.get("status") ?? "dead";
	const status = wanted in states ? (wanted as keyof typeof states) : "dead";
	const answer = useAnswer(status, (signal) => ask<QueueState>("GET", "v3/queue", { query: { status }, signal }), { keep: true });
	useEvery(5000, answer.again);
	return (
		<Show answer={answer} what="the queue" lines={4}>
			{(q) => (
				<>
					<div class="toggle-group admin-actions">
						{Object.entries(states).map(([key, label]) => {
							const n = q[key as keyof typeof states];
							return (
								<button type="button" aria-pressed={key === status} onClick={() => adjust({ status: key })}>
									{label} <span class="count">{count(n.high + n.normal + n.low)}</span>
								</button>
							);
						})}
					</div>
					{q.jobs.length === 0 ? <Empty title={status === "dead" ? "No job has failed for good." : "There are no such jobs."} /> : <Jobs jobs={q.jobs} changed={answer.again} />}
				</>
			)}
		</Show>
	);
}

function Jobs({ jobs, changed }: { jobs: readonly QueuedJob[]; changed: () => void }) {
	const again = useChange(async (id: string) => {
		await ask("POST", `v3/queue/${part(id)}/requeue`);
		say("The job runs again.");
		changed();
	});
	return (
		<div class="scroll-x" tabIndex={0} role="region" aria-label="Jobs">
			{again.failure !== undefined && <Failed failure={again.failure} />}
			<table>
				<thead>
					<tr>
						<th scope="col">Since</th>
						<th scope="col">Job</th>
						<th scope="col">Priority</th>
						<th scope="col" class="number">
							Failed attempts
						</th>
						<th scope="col">Last error</th>
						<th scope="col">
							<span class="visually-hidden">Run again</span>
						</th>
					</tr>
				</thead>
				<tbody>
					{jobs.map((j) => (
						<tr key={j.jobId}>
							<td class="when">{when(j.dateCreated)}</td>
							<td>
								{j.kind} {j.mediaId !== undefined && <a href={link(["call", j.mediaId])}>{j.mediaId.slice(0, 8)}…</a>}
							</td>
							<td>{j.priority}</td>
							<td class="number">{j.attempts}</td>
							<td>
								<bdi>{j.error ?? "–"}</bdi>
							</td>
							<td>
								{j.status === "dead" && (
									<button type="button" disabled={again.busy} onClick={() => again.run(j.jobId)}>
										Run again
									</button>
								)}
							</td>
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}
