// The secrets that deliveries are signed with.

import { ask, Confirm, Copy, Dialog, Failed, may, part, Show, useAnswer, useChange, useState, when } from "kit";
import type { CallbackSecret, CallbackSecrets } from "../../kit/wire";

export function Secrets() {
	const allowed = may("keys");
	const answer = useAnswer(allowed ? "secrets" : null, (signal) => ask<CallbackSecrets>("GET", "v3/callbacks/secrets", { signal }));
	const [made, setMade] = useState<CallbackSecret>();
	const [leaving, setLeaving] = useState<string | null>(null);
	const create = useChange(async () => {
		setMade(await ask<CallbackSecret>("POST", "v3/callbacks/secrets"));
		answer.again();
	});
	const remove = useChange(async (id: string) => {
		await ask("DELETE", `v3/callbacks/secrets/${part(id)}`);
		setLeaving(null);
		answer.again();
	});
	if (!allowed) return <p class="notice">Your key lacks the scope keys, which signing secrets need.</p>;
	return (
		<>
			<p class="quiet">
				Deliveries are signed with all of these, so that a receiver knows that they come from here (Standard Webhooks). To change a secret: make a new one, teach it to the receivers, delete the old one.
			</p>
			<button type="button" disabled={create.busy} onClick={() => create.run()}>
				New secret
			</button>
			{create.failure !== undefined && <Failed failure={create.failure} />}
			<Show answer={answer} what="the secrets">
				{({ secrets }) => (
					<table>
						<thead>
							<tr>
								<th scope="col">Secret</th>
								<th scope="col">Made</th>
								<th scope="col">
									<span class="visually-hidden">Delete</span>
								</th>
							</tr>
						</thead>
						<tbody>
							{secrets.map((s) => (
								<tr key={s.secretId}>
									<td>
										<code>{s.secretId}</code>
									</td>
									<td>{when(s.dateCreated)}</td>
									<td>
										<button type="button" onClick={() => setLeaving(s.secretId)}>
											Delete…
										</button>
									</td>
								</tr>
							))}
						</tbody>
					</table>
				)}
			</Show>
			{made?.secret !== undefined && (
				<Dialog title="The new secret" close={() => setMade(undefined)}>
					<p>It is shown this once. Keep it where your receivers find it.</p>
					<pre class="received">{made.secret}</pre>
					<Copy text={made.secret} />
				</Dialog>
			)}
			{leaving !== null && (
				<Confirm title="Delete the secret?" word="Delete" busy={remove.busy} close={() => setLeaving(null)} run={() => remove.run(leaving)}>
					<p>Receivers that know only this secret will refuse deliveries.</p>
					{remove.failure !== undefined && <Failed failure={remove.failure} />}
				</Confirm>
			)}
		</>
	);
}
