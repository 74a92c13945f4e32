// Rows of an answer as a table: ids lead to their calls, hits play.

import { clock, count, date, link, Hit, time } from "kit";
import type { Answer, Match } from "../../kit/wire";

type Row = Record<string, unknown>;

export function Table({ answer }: { answer: Answer }) {
	const rows = answer.rows as Row[];
	const names = Object.keys(rows[0] ?? {});
	const numbers = new Set(names.filter((n) => rows.some((r) => typeof r[n] === "number")));
	const shown = names.filter((n) => n !== "hits()");
	return (
		<div class="scroll-x" tabIndex={0} role="region" aria-label="Rows">
			<table class="query-rows">
				<thead>
					<tr>
						{shown.map((n) => (
							<th scope="col" class={numbers.has(n) ? "number" : undefined}>
								<bdi>{n}</bdi>
							</th>
						))}
						{names.includes("hits()") && <th scope="col">Hits</th>}
					</tr>
				</thead>
				<tbody>
					{rows.map((row, i) => (
						<tr>
							{shown.map((n) => (
								<td class={numbers.has(n) ? "number" : undefined}>
									<Cell name={n} value={row[n]} />
								</td>
							))}
							{names.includes("hits()") && (
								<td class="query-hits">
									<Hits media={String(row.mediaId ?? "")} hits={answer.hits[i] ?? []} />
								</td>
							)}
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}

const most = 3;

function Hits({ media, hits }: { media: string; hits: readonly Match[] }) {
	if (media === "") return <span class="number">{count(hits.length)}</span>;
	return (
		<>
			{hits.slice(0, most).map((h) => (
				<Hit media={media} match={h} />
			))}
			{hits.length > most && (
				<a class="small" href={link(["call", media])}>
					{count(hits.length - most)} more
				</a>
			)}
		</>
	);
}

function Cell({ name, value }: { name: string; value: unknown }) {
	if (value === null || value === undefined) return <span class="quiet">–</span>;
	if (name === "mediaId") return <a href={link(["call", String(value)])}>{String(value).slice(0, 8)}…</a>;
	if (name === "length" && typeof value === "number") return <>{clock(value)}</>;
	if (typeof value === "number") return <>{Number.isInteger(value) ? count(value) : value.toFixed(3)}</>;
	if (typeof value === "string" && /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value)) {
		return <time dateTime={value}>{date(value)} {time(value)}</time>;
	}
	const text = typeof value === "string" ? value : JSON.stringify(value);
	return (
		<bdi class="clip query-cell" title={text}>
			{text}
		</bdi>
	);
}
