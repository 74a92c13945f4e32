// The audit log: who read, created, changed and deleted what, newest first.

import { adjust, ask, Empty, Field, link, type Route, Show, useAnswer } from "kit";
import type { Audit as AuditLog, Event } from "../../kit/wire";

const actions = ["read", "create", "change", "delete"] as const;
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

export function Audit({ route }: { route: Route }) {
	const get = (name: string) => route.query.get(name) ?? undefined;
	const query = { action: get("action"), mediaId: get("mediaId"), tokenId: get("tokenId"), onOrAfterDate: get("from"), onOrBeforeDate: get("until"), after: get("after"), limit: 100 };
	const answer = useAnswer(JSON.stringify(query), (signal) => ask<AuditLog>("GET", "v3/audit", { query, signal }), { keep: true });
	const set = (name: string) => (e: { currentTarget: { value: string } }) => adjust({ [name]: e.currentTarget.value, after: undefined });
	return (
		<>
			<div class="actions admin-actions">
				<Field label="Action">
					{(a) => (
						<select {...a} value={query.action ?? ""} onChange={set("action")}>
							<option value="">Any</option>
							{actions.map((name) => (
								<option value={name}>{name}</option>
							))}
						</select>
					)}
				</Field>
				<Field label="From">{(a) => <input {...a} type="date" value={query.onOrAfterDate ?? ""} onChange={set("from")} />}</Field>
				<Field label="To">{(a) => <input {...a} type="date" value={query.onOrBeforeDate ?? ""} onChange={set("until")} />}</Field>
				<Field label="Call">{(a) => <input {...a} placeholder="Any id" value={query.mediaId ?? ""} onChange={set("mediaId")} />}</Field>
				<Field label="Key">{(a) => <input {...a} placeholder="Any id" value={query.tokenId ?? ""} onChange={set("tokenId")} />}</Field>
			</div>
			<Show answer={answer} what="the audit log" lines={8}>
				{({ events }) => (events.length === 0 ? <Empty title="Nothing of this kind is in the log." /> : <Events events={events} />)}
			</Show>
		</>
	);
}

function Events({ events }: { events: readonly Event[] }) {
	return (
		<>
			<div class="scroll-x" tabIndex={0} role="region" aria-label="Events">
				<table>
					<thead>
						<tr>
							<th scope="col">Time</th>
							<th scope="col">By</th>
							<th scope="col">Did</th>
							<th scope="col">What</th>
							<th scope="col">Outcome</th>
							<th scope="col">Request</th>
						</tr>
					</thead>
					<tbody>
						{events.map((e) => (
							<tr key={e.id}>
								<td class="when">{exact.format(new Date(e.time))}</td>
								<td>
									<By e={e} />
								</td>
								<td>{e.action}</td>
								<td>
									{e.object} {e.name !== undefined && <bdi>{e.name}</bdi>}
									{e.mediaId !== undefined && <a href={link(["call", e.mediaId])}> {e.mediaId.slice(0, 8)}…</a>}
								</td>
								<td>
									<span class={e.outcome === "done" ? "badge" : "badge bad"}>{e.outcome}</span> {e.code !== undefined && `code ${e.code}`}
								</td>
								<td class="quiet small">{e.reference?.slice(0, 8)}</td>
							</tr>
						))}
					</tbody>
				</table>
			</div>
			{events.length >= 100 && (
				<button type="button" onClick={() => adjust({ after: events.at(-1)?.id })}>
					Older
				</button>
			)}
		</>
	);
}

function By({ e }: { e: Event }) {
	return (
		<>
			{e.by === "token" && e.tokenId !== undefined ? (
				<button type="button" class="text" onClick={() => adjust({ tokenId: e.tokenId, after: undefined })}>
					{e.sessionId === undefined ? "key" : "browser, key"} …{e.tokenId.slice(-6)}
				</button>
			) : { token: "a key", signedUrl: "a signed address", commandLine: "the command line", timeToLive: "the time to live" }[e.by]}
			{e.remoteAddress !== undefined && <span class="quiet small"> {e.remoteAddress}</span>}
		</>
	);
}
