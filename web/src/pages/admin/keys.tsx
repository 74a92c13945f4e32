// Keys of the API: who has which, when it was used, a new one, the end of one.

import { ask, Confirm, Copy, Dialog, Failed, Field, part, say, session, Show, useAnswer, useChange, useState, when } from "kit";
import type { Key, Keys as KeyList, Scope } from "../../kit/wire";

const meanings: Record<Scope, string> = {
	"media:read": "read calls: what is said, recordings, metadata",
	"media:write": "upload, process again, change metadata, delete",
	definitions: "read and change categories, vocabularies, presets",
	analytics: "ask questions; contents need media:read as well",
	keys: "make and revoke keys, end sessions",
	admin: "read the audit log, manage the queue",
};

export function Keys() {
	const answer = useAnswer("keys", (signal) => ask<KeyList>("GET", "v3/profile/keys", { signal }));
	const [creating, setCreating] = useState(false);
	const [made, setMade] = useState<Key>();
	const [leaving, setLeaving] = useState<Key>();
	const revoke = useChange(async (id: string) => {
		await ask("DELETE", `v3/profile/keys/${part(id)}`);
		setLeaving(undefined);
		say("The key is revoked. It counts on no server any more, and its sessions have ended.");
		answer.again();
	});
	return (
		<>
			<div class="actions admin-actions">
				<button type="button" class="primary" onClick={() => setCreating(true)}>
					New key…
				</button>
			</div>
			<Show answer={answer} what="the keys" lines={4}>
				{({ keys }) => (
					<div class="scroll-x">
						<table>
							<thead>
								<tr>
									<th scope="col">Purpose</th>
									<th scope="col">Key</th>
									<th scope="col">Scopes</th>
									<th scope="col">Made</th>
									<th scope="col">Last used</th>
									<th scope="col">Expires</th>
									<th scope="col">
										<span class="visually-hidden">Revoke</span>
									</th>
								</tr>
							</thead>
							<tbody>
								{keys.map((k) => (
									<tr key={k.id}>
										<td>
											<bdi>{k.description ?? "–"}</bdi> {k.id === session.value?.key.keyId && <span class="badge">yours</span>}
										</td>
										<td class="key">
											<code>…{k.lastSix}</code>
										</td>
										<td>{k.scope}</td>
										<td class="when">{when(k.issued)}</td>
										<td class="when">{k.lastUsed === undefined ? "never" : when(k.lastUsed)}</td>
										<td class="when">{k.expired ? <span class="badge bad">expired</span> : k.expirationDate === undefined ? "never" : when(k.expirationDate)}</td>
										<td>
											<button type="button" aria-label={`Revoke the key …${k.lastSix}`} onClick={() => setLeaving(k)}>
												Revoke…
											</button>
										</td>
									</tr>
								))}
							</tbody>
						</table>
					</div>
				)}
			</Show>
			{creating && (
				<NewKey
					close={() => setCreating(false)}
					done={(k) => {
						setCreating(false);
						setMade(k);
						answer.again();
					}}
				/>
			)}
			{made?.bearerToken !== undefined && (
				<Dialog title="The new key" close={() => setMade(undefined)}>
					<p>It is shown this once. Give it to whoever needs it.</p>
					<pre class="secret">{made.bearerToken}</pre>
					<Copy text={made.bearerToken} />
				</Dialog>
			)}
			{leaving !== undefined && (
				<Confirm title="Revoke the key?" word="Revoke" busy={revoke.busy} close={() => setLeaving(undefined)} run={() => revoke.run(leaving.id)}>
					<p>
						Whatever uses <bdi>{leaving.description ?? `…${leaving.lastSix}`}</bdi> is refused from now on, on every server. This cannot be undone.
						{leaving.id === session.value?.key.keyId && " It is the key you have signed in with: your session ends."}
					</p>
					{revoke.failure !== undefined && <Failed failure={revoke.failure} />}
				</Confirm>
			)}
		</>
	);
}

function NewKey({ close, done }: { close: () => void; done: (k: Key) => void }) {
	const mine = session.value?.scopes ?? [];
	const [description, setDescription] = useState("");
	const [scopes, setScopes] = useState<readonly Scope[]>(["media:read", "analytics"].filter((s): s is Scope => mine.includes(s as Scope)));
	const [until, setUntil] = useState("");
	const create = useChange(async () => {
		const body = { description: description.trim() || undefined, scope: scopes.join(" "), expirationDate: until === "" ? undefined : `${until}T23:59:59Z` };
		done(await ask<Key>("POST", "v3/profile/keys", { body }));
	});
	return (
		<Dialog title="New key" close={close}>
			<form
				onSubmit={(e) => {
					e.preventDefault();
					create.run();
				}}
			>
				<Field label="Purpose">{(a) => <input {...a} value={description} onInput={(e) => setDescription(e.currentTarget.value)} />}</Field>
				<fieldset class="scopes">
					<legend>It may</legend>
					{mine.map((s) => (
						<label class="choice">
							<input type="checkbox" checked={scopes.includes(s)} onChange={(e) => setScopes(e.currentTarget.checked ? [...scopes, s] : scopes.filter((o) => o !== s))} />
							<span>
								<code>{s}</code> <span class="quiet">– {meanings[s]}</span>
							</span>
						</label>
					))}
				</fieldset>
				<Field label="Expires at the end of (UTC)" hint="Empty: never">
					{(a) => <input {...a} type="date" value={until} onInput={(e) => setUntil(e.currentTarget.value)} />}
				</Field>
				{create.failure !== undefined && <Failed failure={create.failure} what="No key was made" />}
				<div class="actions end">
					<button class="primary" disabled={create.busy || scopes.length === 0}>
						Make the key
					</button>
				</div>
			</form>
		</Dialog>
	);
}
