// What stands where an item has no result, or not yet: steps with percentages, reasons, what can be done.

import { address, ask, Icon, may, part, useEffect, useState } from "kit";
import type { ProgressResource, Task } from "../../kit/wire";
import { Again } from "./again";
import { type Call, fileName } from "./call";

export const busy = (status: string): boolean => status === "accepted" || status === "scheduled" || status === "running";

/** Shows how far the processing is, until it ends. */
export function Steps({ call, ended }: { call: Call; ended: () => void }) {
	const [now, setNow] = useState<ProgressResource>();
	useEffect(() => {
		let timer: ReturnType<typeof setTimeout> | undefined;
		const stop = new AbortController();
		const look = async () => {
			if (document.hidden) return; // visibilitychange goes on
			const answer = await ask<ProgressResource>("GET", `v3/media/${part(call.id)}/progress`, { signal: stop.signal, silent: true }).catch(() => undefined);
			if (stop.signal.aborted) return;
			if (answer !== undefined) setNow(answer);
			if (answer !== undefined && !busy(answer.status)) ended();
			else timer = setTimeout(look, 1000);
		};
		const seen = () => (clearTimeout(timer), void look());
		document.addEventListener("visibilitychange", seen);
		void look();
		return () => (stop.abort(), clearTimeout(timer), document.removeEventListener("visibilitychange", seen));
	}, [call.id]);
	const tasks = now?.progress.tasks ?? call.item._job?.progress.tasks ?? [];
	const current = tasks.find((t) => t.status === "started");
	return (
		<section class="card steps" aria-label="Processing">
			<h2>{call.words === null ? "Being processed" : "Being processed again; the earlier result is shown"}</h2>
			<p class="visually-hidden" role="status">{current === undefined ? "Waiting" : `${current.display}: ${Math.floor(current.percent / 10) * 10} %`}</p>
			<ol>{tasks.map((t) => <Step task={t} />)}</ol>
			{tasks.length === 0 && <p class="quiet">It waits for its turn.</p>}
		</section>
	);
}

function Step({ task: t }: { task: Task }) {
	return (
		<li>
			<span>{t.display}</span>
			{t.status === "started" ? <progress max="100" value={t.percent} aria-label={t.display} /> : <span />}
			<span class="number">{t.status === "started" ? `${t.percent} %` : t.status}</span>
		</li>
	);
}

/** Why an item failed or was rejected, or why processing it again did. */
export function Errors({ call, reload }: { call: Call; reload: () => void }) {
	const [open, setOpen] = useState(false);
	const { errors = [], status, encryption } = call.item;
	if (errors.length === 0 && status !== "failed" && status !== "rejected") return null;
	const what = status === "finished" ? "Processing again failed; the earlier result is shown" : status === "rejected" ? "The recording was rejected" : "Processing failed";
	return (
		<div class="failed" role="alert">
			<Icon name="warn" />
			<div>
				<strong>{what}</strong>
				{errors.map((p) => (
					<p>
						<bdi>{p.error}</bdi> <span class="code">code {p.code}</span>
					</p>
				))}
			</div>
			{may("media:write") && status !== "rejected" && encryption === undefined && (
				<button type="button" onClick={() => setOpen(true)}>
					Process again
				</button>
			)}
			{open && <Again call={call} close={() => setOpen(false)} started={reload} />}
		</div>
	);
}

/** What stands where the server cannot read an item. */
export function Sealed({ call }: { call: Call }) {
	return (
		<section class="empty" aria-label="Encrypted">
			<Icon name="lock" size={28} />
			<p class="empty-title">Only the holder of the key can read it</p>
			<p>
				The recording was sent with a public key. The server has encrypted the recording and all results for it, and cannot
				read them itself.
			</p>
			<p class="small">
				Key <code>{call.item.encryption?.publicKeyId}</code>
				<br />
				SHA-256 <code>{call.item.encryption?.publicKeyHash}</code>
			</p>
			<a class="button primary" href={address(`v3/media/${part(call.id)}/encrypted`)} download={fileName(call.item, "asc")}>
				<Icon name="download" size={16} /> Download encrypted
			</a>
			<p class="small">
				Read it with <code>gpg --decrypt</code>.
			</p>
		</section>
	);
}
