// How many calls have the category, by week: by the results that calls have, whatever the condition was then.

import { ask, go, link, Load, Section, Show, useAnswer } from "kit";
import type { Answer } from "../../kit/wire";

export function Trend({ name }: { name: string }) {
	const condition = `categories:${JSON.stringify(name)} = 1`;
	const answer = useAnswer(name, (signal) => ask<Answer>("POST", "v3/analytics/vbql", {
		signal,
		query: { limit: 500 },
		body: `SELECT date_trunc('week', dateCreated) AS week, count(*) AS calls FROM media WHERE ${condition} GROUP BY date_trunc('week', dateCreated) ORDER BY week`,
	}));
	return (
		<Section title="Trend">
			<Show answer={answer} what="the trend" lines={4}>
				{({ rows }) => {
					if (rows.length === 0) return <p class="quiet">No call has it yet. Calls that are processed from now on are judged; apply it to the past for the others.</p>;
					const times = rows.map((r) => Date.parse(String(r.week)));
					const day = (t: number) => new Date(t).toISOString().slice(0, 10);
					return (
						<Load what="the chart" load={() => import("../../parts/chart")}>
							{({ Chart }) => (
								<Chart label="Calls with the category by week" kind="bars" height={160} times={times} series={[{ label: "Calls", colour: 1, values: rows.map((r) => Number(r.calls)) }]} pick={(i) => go(link("calls", { where: condition, from: day(times[i] ?? 0), until: day((times[i] ?? 0) + 6 * 86_400_000) }))} />
							)}
						</Load>
					);
				}}
			</Show>
		</Section>
	);
}
