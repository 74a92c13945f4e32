// What was sent to the receivers of results, and what they answered.

import { ask, bytes, counted, may, part, say, Show, useAnswer, useChange, when } from "kit";
import type { Callback, Callbacks } from "../../kit/wire";
import type { Call } from "./call";

export function Deliveries({ call }: { call: Call }) {
	const path = `v3/media/${part(call.id)}/callbacks`;
	const answer = useAnswer(path, (signal) => ask<Callbacks>("GET", path, { signal }), { keep: true });
	const retry = useChange(async (id: string) => {
		await ask("POST", `${path}/${part(id)}/retry`);
		say("The delivery starts again.");
		answer.again();
	});
	return (
		<Show answer={answer} what="the deliveries" lines={3}>
			{({ callbacks }) => callbacks.length === 0 ? <p class="quiet">The configuration names no receiver.</p> : (
				<>
					{retry.failure !== undefined && <p class="problem" role="alert">{retry.failure.message}</p>}
					{!may("media:write") && <p class="quiet small">Your key lacks the scope media:write, which is needed to deliver again.</p>}
					<ul class="entries">
						{callbacks.map((c) => (
							<Delivery c={c} retry={may("media:write") ? () => retry.run(c.callbackId) : undefined} busy={retry.busy} />
						))}
					</ul>
				</>
			)}
		</Show>
	);
}

function Delivery({ c, retry, busy }: { c: Callback; retry?: () => void; busy: boolean }) {
	return (
		<li class="entry">
			<div class="entry-head">
				<span class={c.status === "failed" ? "badge bad" : c.status === "delivered" ? "badge good" : "badge"}>{c.status}</span>
				<bdi class="endpoint">{c.method} {c.endpoint}</bdi>
				{retry !== undefined && <button type="button" onClick={retry} disabled={busy}>Deliver again</button>}
			</div>
			<p class="quiet small">
				{[c.type, c.format, c.stream, ...(c.include ?? [])].filter(Boolean).join(", ")} · {counted(c.attempts, "attempt")}
				{c.nextAttempt !== undefined && ` · next ${when(c.nextAttempt)}`}
			</p>
			{c.tries.length > 0 && (
				<details>
					<summary>{c.tries.length === 1 ? "1 try" : `${c.tries.length} tries`}</summary>
					<ol class="tries">
						{[...c.tries].reverse().map((t) => (
							<li>
								<span class="number">{when(t.date)}</span> {t.status !== undefined ? `status ${t.status}` : <bdi>{t.error}</bdi>},{" "}
								{t.duration} ms
								{t.answer !== undefined && t.answer !== "" && (
									<pre class="answer">{t.answerEncoding === "Base64" ? `${bytes((t.answer.length * 3) / 4)} that are not text` : <bdi>{t.answer}</bdi>}</pre>
								)}
							</li>
						))}
					</ol>
				</details>
			)}
		</li>
	);
}
