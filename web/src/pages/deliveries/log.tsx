// All deliveries, newest first: to whom, how it stands, what the receiver answered.

import { adjust, ask, counted, Empty, Field, link, may, part, type Route, say, Show, useAnswer, useChange, when, asFailure } from "kit";
import type { Deliveries, DeliverySummary } from "../../kit/wire";
import { Said } from "./failing";
import type { Wanted } from "./replay";

const states = { pending: "Pending", delivered: "Delivered", failed: "Failed" } as const;
const looks = { pending: "badge", delivered: "badge good", failed: "badge bad" } as const;

export function Log({ route, again }: { route: Route; again: (w: Wanted) => void }) {
	const [status, endpoint, mediaId, after] = ["status", "endpoint", "mediaId", "after"].map((n) => route.query.get(n) ?? undefined);
	const query = { status, endpoint, mediaId, after, limit: 50 };
	const answer = useAnswer(JSON.stringify(query), (signal) => ask<Deliveries>("GET", "v3/callbacks", { query, signal }), { keep: true });
	return (
		<>
			<div class="actions deliveries-filter">
				<Field label="Status">
					{(a) => (
						<select {...a} value={status ?? ""} onChange={(e) => adjust({ status: e.currentTarget.value, after: undefined })}>
							<option value="">Any</option>
							{Object.entries(states).map(([key, label]) => (
								<option value={key}>{label}</option>
							))}
						</select>
					)}
				</Field>
				<Field label="Receiver">
					{(a) => <input {...a} type="url" placeholder="Any" value={endpoint ?? ""} onChange={(e) => adjust({ endpoint: e.currentTarget.value, after: undefined })} />}
				</Field>
				{mediaId !== undefined && (
					<button type="button" onClick={() => adjust({ mediaId: undefined })}>
						All calls
					</button>
				)}
				{endpoint !== undefined && may("media:write") && (
					<button type="button" onClick={() => again({ endpoint, status: "failed" })}>
						Send its failed ones again…
					</button>
				)}
			</div>
			<Show answer={answer} what="the deliveries" lines={8}>
				{(page) => <Page page={page} filtered={status !== undefined || endpoint !== undefined || mediaId !== undefined} after={after} changed={answer.again} />}
			</Show>
		</>
	);
}

function Page({ page, filtered, after, changed }: { page: Deliveries; filtered: boolean; after: string | undefined; changed: () => void }) {
	const next = (page._links as Record<string, { href: string } | undefined>).next;
	if (page.callbacks.length === 0 && next === undefined) {
		return (
			<Empty icon="deliveries" title={filtered || after !== undefined ? "There are no such deliveries." : "No deliveries yet"}>
				{!filtered && <p>A call is delivered when its configuration has publish.callbacks. The API reference says how.</p>}
			</Empty>
		);
	}
	return (
		<>
			<div class="scroll-x" tabIndex={0} role="region" aria-label="Deliveries">
				<table class="deliveries">
					<thead>
						<tr>
							<th scope="col">Began</th>
							<th scope="col">Receiver</th>
							<th scope="col">What</th>
							<th scope="col">Status</th>
							<th scope="col">Last answer</th>
							<th scope="col">
								<span class="visually-hidden">Send again</span>
							</th>
						</tr>
					</thead>
					<tbody>
						{page.callbacks.map((d) => (
							<Row key={d.callbackId} d={d} changed={changed} />
						))}
					</tbody>
				</table>
			</div>
			<nav class="actions" aria-label="Pages">
				{after !== undefined && (
					<button type="button" onClick={() => history.back()}>
						Newer
					</button>
				)}
				{next !== undefined && (
					<button type="button" onClick={() => adjust({ after: new URL(next.href, "http://x").searchParams.get("after") })}>
						Older
					</button>
				)}
			</nav>
		</>
	);
}

function Row({ d, changed }: { d: DeliverySummary; changed: () => void }) {
	const retry = useChange(async () => {
		try {
			await ask("POST", `v3/media/${part(d.mediaId)}/callbacks/${part(d.callbackId)}/retry`);
			say("It is sent again now.");
			changed();
		} catch (err) {
			say(asFailure(err).message, { bad: true });
		}
	});
	const last = d.lastTry;
	return (
		<tr>
			<td class="when">{when(d.dateBegan)}</td>
			<td>
				<bdi>{d.endpoint}</bdi>
			</td>
			<td>
				<a href={link(["call", d.mediaId], { tab: "deliveries" })}>{[d.type, d.format, d.stream].filter(Boolean).join(", ")}</a>
			</td>
			<td>
				<span class={looks[d.status]}>{states[d.status]}</span>
				<div class="quiet small">
					{counted(d.tryCount, "try", "tries")}
					{d.nextAttempt !== undefined && d.status === "pending" && `, next ${when(d.nextAttempt)}`}
				</div>
			</td>
			<td>
				{last !== undefined && (
					<details>
						<summary>{last.status ?? <bdi>{last.error ?? "no answer"}</bdi>}</summary>
						<p class="quiet small">
							{when(last.date)}, {last.duration} ms. <Said of={last} />
						</p>
						{last.answer !== undefined && last.answer !== "" && (
							<pre class="received" tabIndex={0}>
								<bdi>{last.answer}</bdi>
							</pre>
						)}
					</details>
				)}
			</td>
			<td>
				{may("media:write") && (
					<button type="button" disabled={retry.busy} onClick={() => retry.run()}>
						Send again
					</button>
				)}
			</td>
		</tr>
	);
}
