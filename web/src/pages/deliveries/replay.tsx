// Sending many deliveries again: which ones, and how far it is.

import { ask, count, Dialog, Failed, Field, may, useChange, useEvery, useState } from "kit";
import type { CallbackRetry } from "../../kit/wire";

export interface Wanted {
	endpoint?: string;
	since?: string;
	status: "failed" | "delivered" | "pending";
}

export function Replay({ wanted, close, done }: { wanted: Wanted; close: () => void; done: () => void }) {
	const [endpoint, setEndpoint] = useState(wanted.endpoint ?? "");
	const [since, setSince] = useState(wanted.since?.slice(0, 16) ?? "");
	const [status, setStatus] = useState(wanted.status);
	const [job, setJob] = useState<CallbackRetry>();
	const start = useChange(async () => {
		const body = { endpoint: endpoint.trim() || undefined, since: since === "" ? undefined : `${since}${/Z$/.test(since) ? "" : "Z"}`, status };
		setJob(await ask<CallbackRetry>("POST", "v3/callbacks/retry", { body }));
	});
	const open = job !== undefined && (job.status === "running" || job.pending > 0);
	const look = async () => {
		if (job !== undefined) setJob(await ask<CallbackRetry>("GET", `v3/callbacks/retry/${job.retryId}`, { silent: true }).catch(() => job));
	};
	useEvery(1000, look, open);
	const leave = () => {
		if (job !== undefined) done();
		close();
	};
	return (
		<Dialog title="Send deliveries again" close={leave}>
			{job === undefined ? (
				<form
					onSubmit={(e) => {
						e.preventDefault();
						start.run();
					}}
				>
					<Field label="Receiver" hint="Empty: all receivers">
						{(a) => <input {...a} value={endpoint} onInput={(e) => setEndpoint(e.currentTarget.value)} />}
					</Field>
					<Field label="Status">
						{(a) => (
							<select {...a} value={status} onChange={(e) => setStatus(e.currentTarget.value as Wanted["status"])}>
								<option value="failed">Failed</option>
								<option value="pending">Pending: try now</option>
								<option value="delivered">Delivered: the receiver has lost them</option>
							</select>
						)}
					</Field>
					<Field label="Ended since (UTC)" hint={status === "delivered" ? "Needed for delivered ones" : "Empty: all"}>
						{(a) => <input {...a} type="datetime-local" required={status === "delivered"} value={since} onInput={(e) => setSince(e.currentTarget.value)} />}
					</Field>
					{start.failure !== undefined && <Failed failure={start.failure} what="Nothing was sent" />}
					{!may("media:write") && <p class="hint">Your key lacks the scope media:write, which this needs.</p>}
					<div class="actions end">
						<button class="primary" disabled={start.busy || !may("media:write")}>
							Send again
						</button>
					</div>
				</form>
			) : (
				<div role="status">
					<progress value={job.percent} max={100} aria-label="Deliveries that are sent again" />
					<p>
						{job.status === "failed" && "It ended before all were begun; start it again. "}
						{count(job.done)} of {job.total === undefined ? "…" : count(job.total)} begun again: {count(job.delivered)} delivered, {count(job.failed)} failed again, {count(job.pending)} pending.
					</p>
					<div class="actions end">
						<button type="button" class="primary" onClick={leave}>
							Close
						</button>
					</div>
				</div>
			)}
		</Dialog>
	);
}
