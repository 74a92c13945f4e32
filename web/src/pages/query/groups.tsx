// Groups as a chart: over time as lines or bars, by value as bars that lead to their calls.

import { ask, Bars, figure, go, groupedField, grouping, type GroupRow, hasValue, isTime, joined, link, Load, useAnswer } from "kit";
import type { Answer, Check } from "../../kit/wire";
import { Table } from "./table";

/** Whether the rows are groups of calls. */
export function grouped(answer: Answer, statement: string): boolean {
	return /\bgroup\s+by\b/i.test(statement) && answer.rows.length > 0;
}

/** How many groups have a bar. */
const shown = 50;

export function Groups({ answer, statement }: { answer: Answer; statement: string }) {
	const rows = answer.rows as GroupRow[];
	const { by, time, figures } = grouping(rows);
	const check = useAnswer(statement, (signal) => ask<Check>("POST", "v3/analytics/check", { body: { query: statement }, signal, silent: true }));
	const outline = check.value?.outline;
	const where = outline === undefined || outline.kind === "everything" ? undefined : outline.text;
	const field = groupedField(statement);
	const first = figures[0];
	if (by === undefined || first === undefined) return <Table answer={answer} />;
	return (
		<>
			{time ? <Times rows={rows} by={by} figures={figures} where={where} /> : (
				<Bars
					label={`${first} by ${by}`}
					head={[by, first]}
					format={figure}
					bars={rows.slice(0, shown).map((r) => ({
						name: r[by] === null || r[by] === "" ? "(none)" : String(r[by]),
						value: Number(r[first] ?? 0),
						to: field === undefined ? undefined : link("calls", { where: joined([where, hasValue(field, r[by])]) }),
					}))}
				/>
			)}
			{(time || figures.length > 1 || rows.length > shown) && <Table answer={answer} />}
		</>
	);
}

function Times({ rows, by, figures, where }: { rows: GroupRow[]; by: string; figures: string[]; where: string | undefined }) {
	const sorted = rows.filter((r) => isTime(r[by])).toSorted((a, b) => (String(a[by]) < String(b[by]) ? -1 : 1));
	const pick = (i: number) => {
		const from = String(sorted[i]?.[by]).slice(0, 10);
		const next = sorted[i + 1]?.[by];
		const until = next === undefined ? from : new Date(Date.parse(String(next)) - 1).toISOString().slice(0, 10);
		go(link("calls", { where, from, until }));
	};
	const values = (f: string) => sorted.map((r) => (typeof r[f] === "number" ? r[f] : null));
	return (
		<Load what="the chart" load={() => import("../../parts/chart")}>
			{({ Chart }) => (
				<Chart
					label={`${figures.join(", ")} by ${by}`}
					kind={figures.length > 1 ? "lines" : "bars"}
					times={sorted.map((r) => Date.parse(String(r[by])))}
					series={figures.slice(0, 6).map((f, i) => ({ label: f, colour: i + 1, values: values(f) }))}
					format={figure}
					pick={pick}
				/>
			)}
		</Load>
	);
}
