// Values of a few names, as a table whose rows have bars.

import { count } from "./format";

export interface Bar {
	name: string;
	value: number;
	/** Where its calls are. */
	to?: string;
	/** Said behind the value, such as that of the period before. */
	note?: string;
}

/** A table of names and values; the longest bar is the greatest value. */
export function Bars({ label, bars, head = ["Name", "Calls"], format = count }: {
	label: string;
	bars: readonly Bar[];
	head?: [string, string];
	format?: (value: number) => string;
}) {
	const most = Math.max(...bars.map((b) => Math.abs(b.value)), 1e-9);
	return (
		<table class="bars" aria-label={label}>
			<thead class="visually-hidden">
				<tr>
					<th scope="col">{head[0]}</th>
					<th scope="col">{head[1]}</th>
				</tr>
			</thead>
			<tbody>
				{bars.map((b) => (
					<tr key={b.name}>
						<th scope="row">
							{b.to === undefined ? <bdi>{b.name}</bdi> : (
								<a href={b.to}>
									<bdi>{b.name}</bdi>
								</a>
							)}
						</th>
						<td class="number">
							<span class="bar-fill" style={{ width: `${(Math.abs(b.value) / most) * 100}%` }} aria-hidden="true" />
							<span>
								{format(b.value)} {b.note !== undefined && <span class="quiet small">{b.note}</span>}
							</span>
						</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}
