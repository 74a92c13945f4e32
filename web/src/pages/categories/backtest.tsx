// The back-test: what the condition finds among the calls that are there, 700 ms after it parses, and what it gains and
// loses against the saved one.

import { adjust, ask, count, counted, Empty, Field, link, Load, part, type Route, share, Show, useAnswer, useEffect, useState, zone, Tabs } from "kit";
import type { Trial } from "../../kit/wire";
import { Samples } from "./samples";

/** How long after a change that parses the calls are asked, in milliseconds. */
const pause = 700;

const periods = { "30": "30 days", "90": "90 days", "365": "a year", all: "all time" } as const;

export function BackTest({ name, query, route }: { name: string | null; query: string | null; route: Route }) {
	const period = (route.query.get("period") ?? "90") as keyof typeof periods;
	const [asked, setAsked] = useState(query);
	useEffect(() => {
		if (query === null || query === asked) return;
		const wait = setTimeout(() => setAsked(query), asked === null ? 0 : pause);
		return () => clearTimeout(wait);
	}, [query]);
	const key = asked === null ? null : `${period} ${asked}`;
	const answer = useAnswer(key, (signal) => ask<Trial>("POST", name === null ? "v3/analytics/test" : `v3/definition/categories/${part(name)}/test`, {
		signal,
		body: {
			query: asked,
			samples: 10,
			groupBy: period === "365" || period === "all" ? "week" : "day",
			zone,
			onOrAfterDate: since(period),
			compareWith: name === null ? undefined : "saved",
		},
	}), { keep: true });
	return (
		<section class="section backtest" aria-label="Back-test">
			<header class="section-head">
				<h2>Back-test</h2>
				<Field label="Calls of the last">
					{(a) => (
						<select {...a} value={period} onChange={(e) => adjust({ period: e.currentTarget.value }, { replace: true })}>
							{Object.entries(periods).map(([key, label]) => (
								<option value={key}>{label}</option>
							))}
						</select>
					)}
				</Field>
			</header>
			{asked === null && <Empty title="Write a condition">It is tried on your calls as you type.</Empty>}
			<Show answer={answer} what="what the condition finds" lines={6}>
				{(trial) => <Found trial={trial} condition={asked ?? ""} />}
			</Show>
		</section>
	);
}

function since(period: keyof typeof periods): string | undefined {
	if (period === "all") return undefined;
	return new Date(Date.now() - Number(period) * 86_400_000).toISOString().slice(0, 10);
}

type Kind = "matching" | "gained" | "lost";

function Found({ trial, condition }: { trial: Trial; condition: string }) {
	const { comparison } = trial;
	const [kind, setKind] = useState<Kind>("matching");
	const changed = comparison !== undefined && (comparison.gained > 0 || comparison.lost > 0);
	const shown = changed ? kind : "matching";
	const samples = shown === "matching" ? trial.samples : (comparison?.samples[shown] ?? []);
	return (
		<>
			<p role="status" class="backtest-total">
				<a href={link("calls", { where: condition })}>
					<strong class="number">{counted(trial.matched, "call")}</strong>
				</a>{" "}
				of {count(trial.calls)}, {share(trial.rate)}
				<span class="quiet">, {count(trial.queryTimeMillis)} ms</span>
			</p>
			{comparison !== undefined && (
				<p>
					{changed ? (
						<>
							Against the saved condition: <strong class="gained">{count(comparison.gained)} gained</strong>, <strong class="lost">{count(comparison.lost)} lost</strong>, {count(comparison.both)} in both
						</>
					) : (
						"The saved condition finds the same calls."
					)}
				</p>
			)}
			{trial.warnings?.map((w) => <p class="hint">{w.message}</p>)}
			<Rate trial={trial} />
			{changed && (
				<Tabs id="samples" label="Samples" value={shown} choose={setKind} tabs={[{ key: "matching", label: "Matching", count: trial.matched }, { key: "gained", label: "Gained", count: comparison.gained }, { key: "lost", label: "Lost", count: comparison.lost }]} />
			)}
			<div id="samples-panel" role={changed ? "tabpanel" : undefined} aria-labelledby={changed ? `samples-${shown}` : undefined}>
				<Samples key={shown} samples={samples} judged={shown !== "lost"} condition={condition} />
			</div>
		</>
	);
}

/** The rate by day or week; the saved condition's as a faint line. */
function Rate({ trial }: { trial: Trial }) {
	const rows = trial.groups?.rows ?? [];
	if (rows.length < 2) return null;
	const saved = trial.comparison !== undefined;
	return (
		<Load what="the chart" load={() => import("../../parts/chart")}>
			{({ Chart }) => (
				<Chart
					label={`Rate of matching calls by ${trial.groups?.by}`}
					kind="lines"
					height={170}
					times={rows.map((r) => Date.parse(String(r.from)))}
					format={(v) => share(v)}
					series={[
						{ label: "This condition", colour: 1, values: rows.map((r) => (r.calls === 0 ? null : r.rate)) },
						...(saved ? [{ label: "Saved", colour: 2, faint: true, values: rows.map((r) => (r.calls === 0 ? null : (r.matched - (r.gained ?? 0) + (r.lost ?? 0)) / r.calls)) }] : []),
					]}
				/>
			)}
		</Load>
	);
}
