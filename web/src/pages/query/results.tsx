// The answer to a statement: how many calls, the rows with their hits, a chart of groups, and how they were found.

import { adjust, ask, count, counted, Empty, Failed, Loading, onceAMinute, type Route, share, Tabs, useAnswer, useEffect, useRef, useState } from "kit";
import type { Answer } from "../../kit/wire";
import { Funnel } from "./funnel";
import { Groups, grouped } from "./groups";
import { Table } from "./table";

const page = 50;

/** The number of all calls that statements cover. */
const allCalls = onceAMinute(async () => {
	const { rows } = await ask<Answer>("POST", "v3/analytics/vbql", { body: "SELECT count(*) AS calls FROM media", silent: true });
	return Number(rows[0]?.calls ?? 0);
});

export function Results({ statement, route }: { statement: string; route: Route }) {
	const offset = Number(route.query.get("offset") ?? 0);
	const view = route.query.get("view") === "plan" ? "plan" : "rows";
	const answer = useAnswer(`${offset} ${statement}`, (signal) => ask<Answer>("POST", "v3/analytics/vbql", { query: { limit: page, offset }, body: statement, signal }), { keep: true });
	const { value, failure, loading } = answer;
	const heading = useRef<HTMLHeadingElement>(null);
	useEffect(() => heading.current?.scrollIntoView({ block: "nearest" }), []);
	if (failure !== undefined) return <Failed failure={failure} again={answer.again} what="The statement was not answered" />;
	if (value === undefined) return <Loading what="the answer" lines={5} />;
	const groups = grouped(value, statement);
	return (
		<section class="section results" aria-busy={loading} aria-label="Answer">
			<h2 ref={heading}>
				<span role="status">
					<Total answer={value} groups={groups} />
				</span>
			</h2>
			{value.warnings?.map((w) => <p class="hint">{w.message}</p>)}
			<Tabs
				id="results"
				label="Ways to look at the answer"
				tabs={[{ key: "rows", label: groups ? "Groups" : "Calls" }, { key: "plan", label: "How they were found" }] as const}
				value={view}
				choose={(v) => adjust({ view: v === "rows" ? undefined : v }, { replace: true })}
			/>
			<div id="results-panel" role="tabpanel" aria-labelledby={`results-${view}`} class={loading ? "busy" : undefined}>
				{view === "plan" ? <Funnel statement={statement} /> : (
					<>
						{value.plan === undefined && value.rows.length === 0 && <None statement={statement} />}
						{value.plan !== undefined && <Funnel statement={statement} />}
						{groups && <Groups answer={value} statement={statement} />}
						{!groups && value.rows.length > 0 && <Table answer={value} />}
						{value.totalResults > page && <Pages total={value.totalResults} offset={offset} bound={value.totalIsLowerBound === true} />}
					</>
				)}
			</div>
		</section>
	);
}

function Total({ answer, groups }: { answer: Answer; groups: boolean }) {
	const whole = useAnswer(groups ? null : "calls", allCalls);
	const bound = answer.totalIsLowerBound === true ? "At least " : "";
	const part = whole.value !== undefined && whole.value > 0 && !groups ? `, ${share(answer.totalResults / whole.value)} of all` : "";
	return <>{`${bound}${counted(answer.totalResults, groups ? "group" : "call")}${part}, ${count(answer.queryTimeMillis)} ms`}</>;
}

function Pages({ total, offset, bound }: { total: number; offset: number; bound: boolean }) {
	const last = Math.min(total, offset + page);
	return (
		<nav class="actions pages" aria-label="Pages of the answer">
			<button type="button" disabled={offset === 0} onClick={() => adjust({ offset: Math.max(0, offset - page) || undefined })}>
				Earlier rows
			</button>
			<span class="number">
				{count(offset + 1)}–{count(last)} of {bound ? "at least " : ""}
				{count(total)}
			</span>
			<button type="button" disabled={last >= total} onClick={() => adjust({ offset: offset + page })}>
				Further rows
			</button>
		</nav>
	);
}

/** Nothing was found: what each part of the condition finds by itself. */
function None({ statement }: { statement: string }) {
	const [parts, setParts] = useState<{ text: string; calls: number | null }[]>();
	useEffect(() => {
		const stop = new AbortController();
		each(statement, stop.signal).then(setParts, () => stop.signal.aborted || setParts([]));
		return () => stop.abort();
	}, [statement]);
	return (
		<Empty title="No call meets the condition.">
			{parts !== undefined && parts.length > 1 && (
				<ul class="alone">
					{parts.map((p) => (
						<li>
							<code>{p.text}</code> alone: {p.calls === null ? "not known" : counted(p.calls, "call")}
						</li>
					))}
				</ul>
			)}
		</Empty>
	);
}

async function each(statement: string, signal: AbortSignal) {
	const { outline } = await ask<import("../../kit/wire").Check>("POST", "v3/analytics/check", { body: { query: statement }, signal, silent: true });
	const parts = outline?.kind === "and" ? (outline.parts ?? []) : [];
	return Promise.all(
		parts.slice(0, 8).map(async ({ text }) => {
			const body = `SELECT count(*) AS calls FROM media WHERE ${text}`;
			const answer = await ask<Answer>("POST", "v3/analytics/vbql", { body, signal, silent: true }).catch(() => null);
			return { text, calls: answer === null ? null : Number(answer.rows[0]?.calls ?? 0) };
		}),
	);
}
