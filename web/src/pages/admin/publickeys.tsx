// OpenPGP keys: recordings that name one are encrypted for its owner.

import { ask, Confirm, Empty, Failed, link, part, say, Show, useAnswer, useChange, useRef, useState } from "kit";
import type { PublicKey, PublicKeys as PublicKeyList } from "../../kit/wire";

const idOf = (href: string) => decodeURIComponent(href.split("/").at(-1) ?? "");

export function PublicKeys() {
	const input = useRef<HTMLInputElement>(null);
	const [leaving, setLeaving] = useState<string>();
	const answer = useAnswer("public-keys", async (signal) => {
		const { keys } = await ask<PublicKeyList>("GET", "v3/security/public-keys", { signal });
		return keys.map((k) => idOf((k._links as Record<string, { href: string }>).self?.href ?? ""));
	});
	const add = useChange(async (file: File) => {
		const key = await ask<PublicKey>("POST", "v3/security/public-keys", { body: file });
		say(`The key is stored as ${key.publicKeyId}.`);
		answer.again();
	});
	const remove = useChange(async (id: string) => {
		await ask("DELETE", `v3/security/public-keys/${part(id)}`);
		setLeaving(undefined);
		answer.again();
	});
	return (
		<>
			<p class="quiet">
				A recording whose configuration has <code>encryption.publicKeyId</code> is encrypted for the owner of the key once it is processed: nobody else can read it then, nor can this server.
			</p>
			<div class="actions admin-actions">
				<button type="button" class="primary" disabled={add.busy} onClick={() => input.current?.click()}>
					Add a key…
				</button>
				<input
					ref={input}
					type="file"
					class="visually-hidden"
					tabIndex={-1}
					aria-label="OpenPGP public key"
					onChange={(e) => {
						const file = e.currentTarget.files?.[0];
						e.currentTarget.value = "";
						if (file !== undefined) add.run(file);
					}}
				/>
			</div>
			{add.failure !== undefined && <Failed failure={add.failure} what="The key was not stored" />}
			<Show answer={answer} what="the public keys" lines={3}>
				{(ids) =>
					ids.length === 0 ? <Empty icon="lock" title="No public keys yet" /> : (
						<table>
							<thead>
								<tr>
									<th scope="col">Id, for configurations</th>
									<th scope="col">
										<span class="visually-hidden">Actions</span>
									</th>
								</tr>
							</thead>
							<tbody>
								{ids.map((id) => (
									<tr key={id}>
										<td>
											<code>{id}</code>
										</td>
										<td class="actions">
											<a class="button" href={`../v3/security/public-keys/${part(id)}`} download={`${id}.asc`}>
												Download
											</a>
											<button type="button" onClick={() => setLeaving(id)}>
												Delete…
											</button>
										</td>
									</tr>
								))}
							</tbody>
						</table>
					)
				}
			</Show>
			{leaving !== undefined && (
				<Confirm title="Delete the public key?" word="Delete" busy={remove.busy} close={() => setLeaving(undefined)} run={() => remove.run(leaving)}>
					<p>
						Uploads can no longer name it. Recordings that were sent with it are still encrypted with it. <a href={link("calls")}>To the calls</a>
					</p>
					{remove.failure !== undefined && <Failed failure={remove.failure} />}
				</Confirm>
			)}
		</>
	);
}
