// Usage: minutes of audio by month, and by day of a month, as tables and CSV.

import { adjust, ask, Empty, type Route, Show, useAnswer } from "kit";
import type { Usage as UsageReport, UsageItem } from "../../kit/wire";

const minutes = (n: number) => n.toLocaleString(undefined, { maximumFractionDigits: 1 });

export function Usage({ route }: { route: Route }) {
	const month = route.query.get("month"); // 2026/11
	const path = month === null ? "v3/usage/months" : `v3/usage/daily/${month}`;
	const answer = useAnswer(path, (signal) => ask<UsageReport>("GET", path, { signal }));
	return (
		<>
			{month !== null && (
				<div class="actions admin-actions">
					<button type="button" onClick={() => adjust({ month: undefined })}>
						All months
					</button>
					<a class="button" href={`../v3/usage/daily/${month}/csv`} download={`usage-${month.replace("/", "-")}.csv`}>
						CSV
					</a>
				</div>
			)}
			<Show answer={answer} what="the usage" lines={4}>
				{({ months }) => (months.length === 0 ? <Empty title="Nothing was processed yet." /> : <Items items={months} daily={month !== null} />)}
			</Show>
		</>
	);
}

function Items({ items, daily }: { items: readonly UsageItem[]; daily: boolean }) {
	return (
		<table>
			<thead>
				<tr>
					<th scope="col">{daily ? "Day" : "Month"}</th>
					<th scope="col">What</th>
					<th scope="col" class="number">
						Minutes
					</th>
				</tr>
			</thead>
			<tbody>
				{items.map((u) => (
					<tr>
						<td>
							{daily ? `${u.monthName} ${u.monthDay}` : (
								<button type="button" class="text" onClick={() => adjust({ month: `${u.year}/${u.month}` })}>
									{u.monthName} {u.year}
								</button>
							)}
						</td>
						<td>{u.productName}</td>
						<td class="number">{minutes(u.billedQuantity)}</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}
