// A tile: a statement's answer as number, bars, lines or table. Each leads to its calls.

import { ask, Bars, clock, csv, date, Empty, figure, Failed, go, groupedField, grouping, type GroupRow, hasValue, isTime, joined, link, Load, Loading, saveAs, useAnswer, words, zone } from "kit";
import type { Answer, Check, Dashboard } from "../../kit/wire";
import { dayOf, type Period } from "./period";

type TileOf = Dashboard["tiles"][number];

/** The answer to a statement within a period. */
function run(statement: string, period: Period, signal: AbortSignal): Promise<Answer> {
	const { from, until } = period;
	return ask<Answer>("POST", "v3/analytics/vbql", { query: { limit: 1000 }, headers: { "Content-Type": "application/json" }, body: { statement, from, until, zone }, signal });
}

export function Tile({ tile, period, former }: { tile: TileOf; period: Period; former: Period | undefined }) {
	const key = `${tile.statement} ${period.from} ${period.until}`;
	const now = useAnswer(key, (signal) => run(tile.statement, period, signal), { keep: true });
	const earlier = useAnswer(former === undefined || tile.chart === "table" ? null : `${tile.statement} ${former.from}`, (signal) => run(tile.statement, former as Period, signal), { keep: true });
	const check = useAnswer(tile.statement, (signal) => ask<Check>("POST", "v3/analytics/check", { body: { query: tile.statement }, signal, silent: true }));
	const outline = check.value?.outline;
	const where = outline === undefined || outline.kind === "everything" ? undefined : outline.text;
	return (
		<article class="tile card" style={{ gridColumn: `span ${tile.width}` }} aria-label={tile.title ?? tile.statement}>
			<header class="section-head">
				<h2>
					<bdi>{tile.title ?? tile.statement}</bdi>
				</h2>
				<span class="actions">
					{now.value !== undefined && now.value.rows.length > 0 && (
						<button type="button" class="text small" onClick={() => download(now.value as Answer, tile.title ?? "tile")}>
							CSV
						</button>
					)}
					<a class="small" href={link("query", { q: tile.statement })}>
						Statement
					</a>
				</span>
			</header>
			{now.failure !== undefined && <Failed failure={now.failure} again={now.again} />}
			{now.value === undefined && now.failure === undefined && <Loading what="the figures" lines={4} />}
			{now.value !== undefined && (
				<div class={now.loading ? "busy" : undefined}>
					<Shown tile={tile} rows={now.value.rows as GroupRow[]} earlier={earlier.value?.rows as GroupRow[] | undefined} period={period} where={where} />
				</div>
			)}
		</article>
	);
}

interface ShownProps {
	tile: TileOf;
	rows: GroupRow[];
	earlier: GroupRow[] | undefined;
	period: Period;
	where: string | undefined;
}

function Shown(props: ShownProps) {
	const { tile, rows } = props;
	const { by, time, figures } = grouping(rows);
	if (rows.length === 0 || (figures.length === 0 && (by === undefined || tile.chart === "number"))) return <Empty title="No calls in this period" />;
	if (tile.chart === "number" || by === undefined) return <Numbers {...props} figures={figures} />;
	if (tile.chart === "table" || figures.length === 0) return <Rows {...props} by={by} figures={figures} />;
	if (time) return <Times {...props} by={by} figures={figures} />;
	return <ByValue {...props} by={by} figures={figures} />;
}

/** The name of a column: words where it is a name of a program, such as agentRatio, and as it is otherwise. */
const named = (column: string) => (/^[a-z]+([A-Z][a-z]+)*$/.test(column) ? words(column) : column);

/** How figures of columns are shown: lengths, which are milliseconds, as times. */
const format = (...columns: string[]) => (columns.every((c) => /^((?!count)\w+\()?length\b/i.test(c)) ? clock : figure);

const shown = (column: string, v: unknown) => (typeof v === "number" ? format(column)(v) : "–");

function calls({ period, where }: ShownProps, condition?: string, from = period.from, until = period.until): string {
	return link("calls", { where: joined([where, condition]), from, until });
}

function Numbers(props: ShownProps & { figures: string[] }) {
	const { rows, earlier, figures } = props;
	return (
		<dl class="tile-numbers">
			{figures.map((f) => {
				const was = earlier?.[0]?.[f];
				return (
					<div>
						<dt class="quiet">{named(f)}</dt>
						<dd>
							<a href={calls(props)}>{shown(f, rows[0]?.[f])}</a>
							{typeof was === "number" && <span class="quiet small"> before: {shown(f, was)}</span>}
						</dd>
					</div>
				);
			})}
		</dl>
	);
}

function Times(props: ShownProps & { by: string; figures: string[] }) {
	const { tile, rows, earlier, by, figures, period } = props;
	const sorted = rows.filter((r) => isTime(r[by])).toSorted((a, b) => (String(a[by]) < String(b[by]) ? -1 : 1));
	const first = figures[0] ?? "";
	const shift = period.days * 86_400_000;
	const past = new Map((figures.length === 1 ? (earlier ?? []) : []).filter((r) => isTime(r[by])).map((r) => [dayOf(Date.parse(String(r[by])) + shift), r[first]]));
	const values = (f: string) => sorted.map((r) => (typeof r[f] === "number" ? r[f] : null));
	const pick = (i: number) => {
		const from = dayOf(Date.parse(String(sorted[i]?.[by])));
		go(calls(props, undefined, from, from));
	};
	return (
		<Load what="the chart" load={() => import("../../parts/chart")}>
			{({ Chart }) => (
				<Chart
					label={tile.title ?? figures.join(", ")}
					kind={tile.chart === "bars" ? "bars" : "lines"}
					times={sorted.map((r) => Date.parse(String(r[by])))}
					format={format(...figures)}
					pick={pick}
					series={[
						...figures.slice(0, 6).map((f, i) => ({ label: named(f), colour: i + 1, values: values(f) })),
						...(past.size > 0 ? [{ label: "Period before", colour: 6, faint: true, values: sorted.map((r) => numberOr(past.get(dayOf(Date.parse(String(r[by])))))) }] : []),
					]}
				/>
			)}
		</Load>
	);
}

const numberOr = (v: unknown) => (typeof v === "number" ? v : null);

function ByValue(props: ShownProps & { by: string; figures: string[] }) {
	const { tile, rows, earlier, by, figures } = props;
	const first = figures[0] ?? "";
	const field = groupedField(tile.statement);
	const past = new Map(earlier?.map((r) => [r[by], r[first]]));
	return (
		<div class="tile-bars">
			<Bars
				label={tile.title ?? first}
				head={[named(by), named(first)]}
				format={format(first)}
				bars={rows.slice(0, 100).map((r) => {
					const was = past.get(r[by]);
					return {
						name: r[by] == null || r[by] === "" ? "(none)" : String(r[by]),
						value: Number(r[first] ?? 0),
						note: typeof was === "number" ? `before: ${shown(first, was)}` : undefined,
						to: field === undefined ? undefined : calls(props, hasValue(field, r[by])),
					};
				})}
			/>
		</div>
	);
}

function Rows(props: ShownProps & { by: string; figures: string[] }) {
	const { tile, rows, by, figures } = props;
	const field = groupedField(tile.statement);
	return (
		<div class="scroll-x tile-bars" tabIndex={0} role="region" aria-label={`Figures of ${tile.title ?? tile.statement}`}>
			<table>
				<thead>
					<tr>
						<th scope="col">{named(by)}</th>
						{figures.map((f) => (
							<th scope="col" class="number">
								<bdi>{f}</bdi>
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{rows.map((r) => (
						<tr>
							<th scope="row">
								{field === undefined ? <bdi>{isTime(r[by]) ? date(r[by]) : String(r[by] ?? "(none)")}</bdi> : (
									<a href={calls(props, hasValue(field, r[by]))}>
										<bdi>{String(r[by] ?? "(none)")}</bdi>
									</a>
								)}
							</th>
							{figures.map((f) => (
								<td class="number">{shown(f, r[f])}</td>
							))}
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}

/** Saves the rows as a CSV file. */
function download(answer: Answer, name: string): void {
	const names = Object.keys(answer.rows[0] ?? {});
	const rows = answer.rows.map((r) => names.map((n) => (r as GroupRow)[n]));
	saveAs(`${name.replaceAll(/[^\p{L}\p{N}]+/gu, "-")}.csv`, csv([names, ...rows]));
}
