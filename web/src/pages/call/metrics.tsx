// Metrics of the call, and where they stand among those of the account's calls.

import { ask, count, Failed, may, useAnswer, words } from "kit";
import type { Distributions, MetricGroups } from "../../kit/wire";
import { type Call, callsOf } from "./call";

interface Row {
	name: string;
	value: number;
	unit: string;
	about: string;
	/** The share of calls with a smaller value, 0 to 100; undefined if it is not known. */
	percentile?: number;
}

/** The share of calls below a value, by the 101 quantiles of all; half of those that are equal count. */
export function percentile(quantiles: number[], value: number): number {
	const below = quantiles.filter((q) => q < value).length;
	const equal = quantiles.filter((q) => q === value).length;
	return Math.min(100, Math.round(((below + equal / 2) / quantiles.length) * 100));
}

export function Metrics({ call }: { call: Call }) {
	const groups = call.item.metrics ?? [];
	const all = useAnswer(may("analytics") ? "distributions" : null, (signal) => ask<Distributions>("GET", "v3/analytics/distributions", { signal }));
	const known = useAnswer(may("definitions") ? "metrics" : null, (signal) => ask<MetricGroups>("GET", "v3/definition/metrics", { signal }));
	const about = new Map(known.value?.metricGroups.flatMap((g) => g.metrics).map((m) => [m.metricName, m]));
	const among = new Map(all.value?.distributions.map((d) => [d.field.replace(/^metrics:|"/g, ""), d]));
	const rows = groups
		.flatMap((g) => g.metricValues)
		.map((m): Row => {
			const d = among.get(m.metricName);
			return {
				name: m.metricName,
				value: m.metricValue,
				unit: about.get(m.metricName)?.metricUnit ?? "",
				about: about.get(m.metricName)?.metricDescription ?? "",
				percentile: d === undefined || d.calls < 2 ? undefined : percentile(d.quantiles, m.metricValue),
			};
		})
		.sort((a, b) => Math.abs((b.percentile ?? 50) - 50) - Math.abs((a.percentile ?? 50) - 50));
	const calls = all.value?.calls ?? 0;
	return (
		<>
			{all.failure !== undefined && <Failed failure={all.failure} again={all.again} what="Could not compare with other calls" />}
			<p class="quiet small">
				{!may("analytics")
					? "Your key lacks the scope analytics, which percentiles need."
					: calls < 2
						? "There are no other calls to compare with: only those sent with publish.enableAnalyticIndexing count."
						: `Compared with ${count(calls)} calls of this account, the most unusual values first.`}
			</p>
			<div class="scroll-x" tabIndex={0} role="region" aria-label="Metrics">
				<table>
					<thead>
						<tr>
							<th>Metric</th>
							<th class="number">Value</th>
							<th class="number">Above</th>
						</tr>
					</thead>
					<tbody>
						{rows.map((r) => (
							<tr class={r.percentile !== undefined && Math.abs(r.percentile - 50) >= 45 ? "outlier" : undefined}>
								<td title={r.about}>{words(r.name)}</td>
								<td class="number">
									{Number(r.value.toFixed(3)).toLocaleString()} <span class="quiet small">{r.unit}</span>
								</td>
								<td class="number">{r.percentile !== undefined && <Among row={r} />}</td>
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</>
	);
}

/** The percentile; it leads to the calls on the same side. */
function Among({ row }: { row: Row }) {
	const high = (row.percentile ?? 0) >= 50;
	return (
		<a
			href={callsOf(`metrics:"${row.name}" ${high ? ">=" : "<="} ${row.value}`)}
			title={`Calls with ${high ? "as much or more" : "as little or less"}`}
			class="among"
		>
			<meter min="0" max="100" value={row.percentile} aria-hidden="true" />
			{row.percentile} %
		</a>
	);
}
