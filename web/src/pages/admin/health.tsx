// Whether the server is well: each check, what is wrong, and the remedy.

import { address, Failure, session, Show, span, useAnswer, useEvery } from "kit";
import type { Health as HealthState } from "../../kit/wire";

const looks = { ok: "badge good", failed: "badge bad", pending: "badge" } as const;

export function Health() {
	const answer = useAnswer("health", async (signal) => {
		const response = await fetch(address("readyz"), { signal });
		if (response.status !== 200 && response.status !== 503) throw new Failure(response.status, [{ code: 0, error: `The server answered with status ${response.status}.` }], "");
		return (await response.json()) as HealthState;
	}, { keep: true });
	useEvery(5000, answer.again);
	return (
		<>
			<Show answer={answer} what="the checks" lines={6}>
				{(h) => (
					<>
						<p role="status">
							<span class={h.status === "ready" ? "badge good" : "badge bad"}>{h.status}</span> version {h.version}
						</p>
						<table>
							<thead>
								<tr>
									<th scope="col">Part</th>
									<th scope="col">State</th>
									<th scope="col" class="number">
										Checked
									</th>
									<th scope="col" class="number">
										Waiting
									</th>
									<th scope="col">What to do</th>
								</tr>
							</thead>
							<tbody>
								{h.checks?.map((c) => (
									<tr key={c.name}>
										<th scope="row">{c.name}</th>
										<td>
											<span class={looks[c.state]}>{c.state}</span> {!c.required && <span class="quiet small">not required</span>}
										</td>
										<td class="number">{c.ageInSeconds === undefined ? "–" : `${span(c.ageInSeconds * 1000)} ago`}</td>
										<td class="number">{c.waiting ?? ""}</td>
										<td>
											<bdi>{c.problem ?? ""}</bdi>
										</td>
									</tr>
								))}
							</tbody>
						</table>
					</>
				)}
			</Show>
			<h2 class="admin-engines">Speech recognition</h2>
			<table>
				<thead>
					<tr>
						<th scope="col">Engine</th>
						<th scope="col">Model</th>
						<th scope="col">Languages</th>
					</tr>
				</thead>
				<tbody>
					{session.value?.server.engines.map((e) => (
						<tr>
							<td>{e.engine}</td>
							<td>{e.model}</td>
							<td>{e.languages.join(", ")}</td>
						</tr>
					))}
				</tbody>
			</table>
		</>
	);
}
