// The period of a dashboard: the last days, by the calendar of the browser's zone, and the period before it.

import { Field, type Parameters, zone } from "kit";

export interface Period {
	/** Days of the calendar, both included; undefined: since ever. */
	from?: string;
	until?: string;
	days: number;
	/** As it stands in the address. */
	as: Parameters;
}

const choices = { "7": "7 days", "30": "30 days", "90": "90 days", "365": "A year", own: "From … to …" } as const;

const day = 86_400_000;

/** The day of the calendar in the browser's zone. */
export const dayOf = (t: number): string => new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" }).format(t);

export function periodOf(query: URLSearchParams): Period {
	const [from, until] = [query.get("from"), query.get("until")];
	if (from !== null && until !== null) {
		return { from, until, days: Math.max(1, Math.round((Date.parse(until) - Date.parse(from)) / day) + 1), as: { from, until } };
	}
	const days = Number(query.get("days") ?? 30) || 30;
	return { from: dayOf(Date.now() - (days - 1) * day), until: dayOf(Date.now()), days, as: { days: query.get("days") ?? undefined } };
}

/** The period of the same length before. */
export function before(p: Period): Period | undefined {
	if (p.from === undefined) return undefined;
	const first = Date.parse(`${p.from}T12:00:00Z`);
	const at = (t: number) => new Date(t).toISOString().slice(0, 10);
	return { from: at(first - p.days * day), until: at(first - day), days: p.days, as: {} };
}

export function Periods({ period, change }: { period: Period; change: (p: Parameters) => void }) {
	const own = period.as.from !== undefined;
	const value = own ? "own" : String(period.days);
	return (
		<div class="periods">
			<Field label="Period">
				{(a) => (
					<select {...a} value={value} onChange={(e) => change(e.currentTarget.value === "own" ? { days: undefined, from: period.from, until: period.until } : { days: e.currentTarget.value, from: undefined, until: undefined })}>
						{Object.entries(choices).map(([key, label]) => (
							<option value={key}>{label}</option>
						))}
					</select>
				)}
			</Field>
			{own && (
				<>
					<input type="date" aria-label="From" value={period.from} onChange={(e) => e.currentTarget.value !== "" && change({ from: e.currentTarget.value })} />
					<input type="date" aria-label="To" value={period.until} onChange={(e) => e.currentTarget.value !== "" && change({ until: e.currentTarget.value })} />
				</>
			)}
			<span class="quiet small">{zone}</span>
		</div>
	);
}
