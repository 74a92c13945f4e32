// Receivers that did not accept their last delivery, longest failing first.

import { adjust, ask, counted, Section, Show, useAnswer, when } from "kit";
import type { CallbackTry, Endpoints } from "../../kit/wire";
import type { Wanted } from "./replay";

export function Failing({ again, round }: { again: (w: Wanted) => void; round: number }) {
	const answer = useAnswer(`failing ${round}`, (signal) => ask<Endpoints>("GET", "v3/callbacks/endpoints", { signal }), { keep: true });
	return (
		<Show answer={answer} what="failing receivers">
			{({ endpoints }) =>
				endpoints.length > 0 && (
					<Section title="Failing receivers">
						<ul class="failing">
							{endpoints.map((e) => (
								<li key={e.endpoint} class="notice warn">
									<div class="grow">
										<button type="button" class="text" onClick={() => adjust({ endpoint: e.endpoint, status: undefined, after: undefined })}>
											<bdi>{e.endpoint}</bdi>
										</button>
										<p>
											Fails since {when(e.failingSince)}: {counted(e.failures, "try", "tries")}. <Said of={e.lastTry} />
										</p>
									</div>
									<button type="button" onClick={() => again({ endpoint: e.endpoint, status: "failed", since: e.failingSince })}>
										Send failed ones again…
									</button>
								</li>
							))}
						</ul>
					</Section>
				)
			}
		</Show>
	);
}

/** What a receiver answered: the status, or why there was no answer. */
export function Said({ of }: { of: CallbackTry }) {
	return <>{of.status !== undefined ? `It answers with status ${of.status}.` : `${of.error ?? "There was no answer"}.`}</>;
}
