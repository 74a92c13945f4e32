// Limits and settings: what the account stores and may request, and how the server is set up for it.

import { ask, bytes, count, Show, span, useAnswer } from "kit";
import type { Limits as Answer } from "../../kit/wire";

/** How long recordings are kept. */
const life = (ms: number): string => (ms % 86_400_000 === 0 ? `${count(ms / 86_400_000)} days` : span(ms));

export function Limits() {
	const answer = useAnswer("limits", (signal) => ask<Answer>("GET", "v3/profile/limits", { signal }));
	return (
		<Show answer={answer} what="the limits" lines={6}>
			{(l) => {
				const used = l.storage.limit === undefined ? "" : ` (${((l.storage.bytes / l.storage.limit) * 100).toFixed(0)} % of the limit)`;
				return (
					<>
						<Table caption="Limits of the account" rows={[
							["Stored now", bytes(l.storage.bytes) + used],
							["Storage", most(l.storage.limit, bytes)],
							["Largest upload", most(l.uploadBytes, bytes)],
							["Longest recording", most(l.recordingLength, span)],
							["Definitions of each kind, and keys", most(l.definitions, count)],
							["Requests a second, to each server", most(l.requests.perSecond, count)],
							["Requests a second of one key", most(l.requests.perSecondAndKey, count)],
							["Requests at once, to each server", most(l.requests.atOnce, count)],
							["Memory of requests in progress", most(l.requestMemory, bytes)],
						]} />
						<Table caption="Settings" rows={[
							["Version of the server", l.settings.version],
							["Recordings are deleted after", l.settings.timeToLiveInSeconds === undefined ? "never" : life(l.settings.timeToLiveInSeconds * 1000)],
							["Scores of keyword groups", l.settings.scoreAsNumber ? "numbers" : "texts"],
						]} />
						<p class="quiet">
							Operators change these with options of <code>parley serve</code> and with <code>parley account limit</code>.
						</p>
					</>
				);
			}}
		</Show>
	);
}

const most = (limit: number | undefined, as: (n: number) => string): string => (limit === undefined ? "no limit" : as(limit));

function Table({ caption, rows }: { caption: string; rows: readonly [string, string][] }) {
	return (
		<table class="limits">
			<caption>{caption}</caption>
			<tbody>
				{rows.map(([what, value]) => (
					<tr>
						<th scope="row">{what}</th>
						<td class="number">{value}</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}
