// Sessions of browsers: with which key, since when, until when; each can be ended.

import { ask, Failed, part, Show, useAnswer, useChange, when } from "kit";
import type { Sessions as SessionList } from "../../kit/wire";

export function Sessions() {
	const answer = useAnswer("sessions", (signal) => ask<SessionList>("GET", "v3/profile/sessions", { signal }));
	const end = useChange(async (id: string) => {
		await ask("DELETE", `v3/profile/sessions/${part(id)}`);
		answer.again();
	});
	return (
		<>
			{end.failure !== undefined && <Failed failure={end.failure} />}
			<Show answer={answer} what="the sessions" lines={3}>
				{({ sessions }) => (
					<div class="scroll-x">
						<table>
							<thead>
								<tr>
									<th scope="col">Key</th>
									<th scope="col">Scopes</th>
									<th scope="col">Signed in</th>
									<th scope="col">Last used</th>
									<th scope="col">Ends</th>
									<th scope="col">
										<span class="visually-hidden">End</span>
									</th>
								</tr>
							</thead>
							<tbody>
								{sessions.map((s) => (
									<tr key={s.sessionId}>
										<td>
											<bdi>{s.description ?? s.keyId.slice(-8)}</bdi> {s.current && <span class="badge">this one</span>}
										</td>
										<td>{s.scope}</td>
										<td class="when">{when(s.issued)}</td>
										<td class="when">{when(s.lastUsed)}</td>
										<td class="when">{when(s.expirationDate)}</td>
										<td>
											<button type="button" disabled={end.busy} onClick={() => end.run(s.sessionId)}>
												End
											</button>
										</td>
									</tr>
								))}
							</tbody>
						</table>
					</div>
				)}
			</Show>
		</>
	);
}
