// Calls: from a question to the calls that answer it, to the second of each that does.

import { ask, type Change, count, counted, Failed, go, Heading, Icon, link, Loading, ManyDialog, may, type Route, Rows, share, toggleHit, useAnswer, useChanges, useEffect, useKeys, useMemo, useRef, useState } from "kit";
import type { AnalyticSchema, Exploration } from "../../kit/wire";
import { Bar } from "./bar";
import { Bulk, nothing, type Selection } from "./bulk";
import { choice, Facets } from "./facets";
import { Histogram } from "./histogram";
import { JobsBar, useJobs } from "./jobs";
import { place, useList } from "./list";
import { NoCalls, NoHits } from "./nothing";
import { Row } from "./row";
import { asked, read, restricted } from "./state";
import { Views } from "./views";

/** Heights of a row and of its place, in pixels, as in calls.css: on a narrow screen its parts stand below each other. */
const [wideRow, narrowRow, hitRow] = [42, 98, 26];
const narrowScreen = matchMedia("(max-width: 56rem)");

/** How soon new calls are shown after one another, in milliseconds. */
const calm = 2000;

export default function Page({ route }: { route: Route }) {
	const state = useMemo(() => read(route), [route]);
	const question = useMemo(() => asked(state), [state.words, state.where, state.chips.join("\n"), state.from, state.until]);
	const bar = useRef<HTMLInputElement>(null);
	const list = useList(question);
	const schema = useAnswer("schema", (signal) => ask<AnalyticSchema>("GET", "v3/analytics/schema", { signal }));
	const facets = useMemo(() => choice(state, schema.value), [state.open?.join(), schema.value]);
	const ready = schema.value !== undefined || schema.failure !== undefined;
	const body = { ...question, include: ["total", "histogram", "facets"], facets: facets.fields, facetLimit: 8 };
	const counts = useAnswer(ready ? JSON.stringify(body) : null, (signal) => ask<Exploration>("POST", "v3/analytics/explore", { body, signal }), { keep: true });
	const jobs = useJobs(list.come || list.failure !== undefined);
	const [selection, setSelection] = useState<Selection>(nothing);
	const [drawer, setDrawer] = useState(false);
	const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
	const again = () => {
		setFresh(new Set());
		list.again();
		counts.again();
		jobs.again();
		schema.again();
	};
	useEffect(() => {
		setSelection(nothing);
		setFresh(new Set());
	}, [question]);
	useLive(jobs.again, (ids) => {
		const rest = scrollY < 200 && selection === nothing && list.rows.length <= 50;
		if (rest) again();
		else setFresh((f) => new Set([...f, ...ids]));
	});
	const found = counts.value;
	const failure = list.failure ?? (counts.failure?.status === 400 ? counts.failure : undefined);
	const bad = failure?.status === 400; // what the bar has is not understood, and the bar says so
	const empty = list.come && !list.stale && list.rows.length === 0 && list.failure === undefined;
	return (
		<div class={drawer ? "calls calls-drawer" : "calls"}>
			<Heading title="Calls">
				<button type="button" class="calls-drawer-button" aria-expanded={drawer} onClick={() => setDrawer(!drawer)}>
					<Icon name="filter" size={16} /> Filters
				</button>
				<Views state={state} />
			</Heading>
			<Bar state={state} failure={bad ? failure : undefined} bar={bar} />
			<JobsBar jobs={jobs.value} again={jobs.again} />
			<div class="calls-columns">
				<aside class="calls-side" aria-label="Filters">
					{drawer && (
						<button type="button" class="calls-drawer-close" onClick={() => setDrawer(false)}>
							<Icon name="close" size={16} /> Close the filters
						</button>
					)}
					<Facets state={state} choice={facets} found={bad ? undefined : found} failed={failure !== undefined || counts.failure !== undefined} schema={schema} />
				</aside>
				<section class="calls-main" aria-label="Calls found">
					{found?.histogram !== undefined && !bad && (
						<div class={counts.loading ? "busy" : undefined} aria-busy={counts.loading}>
							<Histogram histogram={found.histogram} state={state} least={found.totalIsLowerBound ?? false} />
						</div>
					)}
					{counts.failure !== undefined && !bad && <Failed failure={counts.failure} again={counts.again} what="Could not count the calls" />}
					{!bad && <Total found={found} loading={counts.loading} />}
					{fresh.size > 0 && (
						<button type="button" class="calls-fresh" onClick={again}>
							<Icon name="again" size={16} /> {counted(fresh.size, "call")} changed or new: show
						</button>
					)}
					{list.failure !== undefined && !bad && <Failed failure={list.failure} again={list.again} what="Could not load the calls" />}
					{!list.come && list.failure === undefined && <Loading what="the calls" lines={8} />}
					{list.come && list.rows.length > 0 && (
						<>
							<Bulk
								selection={selection}
								set={setSelection}
								rows={list.rows}
								total={found?.totalResults}
								least={found?.totalIsLowerBound ?? false}
								asked={question}
								changed={(gone) => {
									list.drop(gone);
									again();
								}}
							/>
							<Calls list={list} selection={selection} select={setSelection} bar={bar} />
						</>
					)}
					{empty && (restricted(state) ? <NoHits state={state} /> : <NoCalls waiting={(jobs.value?.waiting.length ?? 0) > 0} />)}
				</section>
			</div>
			<ManyDialog />
		</div>
	);
}

/** Hands on what changes: at once what concerns processing, calls that are done or gone a little later, together. */
function useLive(jobs: () => void, show: (ids: string[]) => void): void {
	const waiting = useRef(new Set<string>());
	const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
	const latest = useRef(show);
	latest.current = show;
	useEffect(() => () => clearTimeout(timer.current), []);
	useChanges((changes: Change[], reload) => {
		jobs();
		const done = changes.filter((c) => c.deleted || c.status === "finished");
		for (const c of done) waiting.current.add(c.mediaId);
		if (done.length === 0 && !reload) return;
		timer.current ??= setTimeout(() => {
			timer.current = undefined;
			const ids = [...waiting.current];
			waiting.current.clear();
			latest.current(ids);
		}, calm);
	}, may("media:read"));
}

/** How many calls there are, of how many, how soon; and what the answer leaves out. */
function Total({ found, loading }: { found: Exploration | undefined; loading: boolean }) {
	if (found?.totalResults === undefined) return <p class="calls-total quiet">{loading ? "Counting…" : ""}</p>;
	const { totalResults: n, calls, totalIsLowerBound: least, queryTimeMillis, warnings } = found;
	return (
		<div class="calls-total">
			<p role="status">
				<strong>
					{least && "At least "}
					{counted(n, "call")}
				</strong>
				{calls > 0 && <span>, {share(n / calls)} of {n === calls ? "all" : count(calls)}</span>}
				<span class="quiet">, {count(queryTimeMillis)} ms</span>
			</p>
			{least && <p class="quiet small">Counting all would take longer than a second: all counts are lower bounds.</p>}
			{warnings?.map((w) => (
				<p class="quiet small">
					{w.message.charAt(0).toUpperCase() + w.message.slice(1)} (code {w.code}).
				</p>
			))}
		</div>
	);
}

/** The rows, with their keys. */
function Calls({ list, selection, select, bar }: {
	list: ReturnType<typeof useList>;
	selection: Selection;
	select: (s: Selection) => void;
	bar: { current: HTMLInputElement | null };
}) {
	const { rows, key } = list;
	const hits = rows.some((r) => r.hit !== undefined);
	const height = useHeight() + (hits ? hitRow : 0);
	const box = useRef<HTMLDivElement>(null);
	const [at, setAt] = useState(() => place.of(key).at);
	const before = useRef(at);
	useEffect(() => {
		const { scroll } = place.of(key);
		if (scroll > 0) scrollTo({ top: scroll, behavior: "instant" });
	}, []);
	useEffect(() => {
		const keep = () => place.keep(at, scrollY);
		keep();
		addEventListener("scroll", keep, { passive: true });
		return () => removeEventListener("scroll", keep);
	}, [at]);
	const current = Math.min(at, rows.length - 1);
	const to = (i: number) => {
		const n = Math.max(0, Math.min(rows.length - 1, i));
		setAt(n);
		const top = (box.current?.getBoundingClientRect().top ?? 0) + n * height;
		if (top < 60 || top + height > innerHeight) scrollBy({ top: top - innerHeight / 2, behavior: "instant" });
		requestAnimationFrame(() => requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-row="${n}"]`)?.focus({ preventScroll: true })));
	};
	const inside = () => box.current?.contains(document.activeElement) ?? false;
	const step = (n: number) => to(inside() ? current + n : current);
	const pick = (i: number, on: boolean, range = false) => {
		const ids = new Set(selection.all ? rows.map((r) => r.mediaId) : selection.ids);
		const [a, b] = range ? [Math.min(before.current, i), Math.max(before.current, i)] : [i, i];
		for (const r of rows.slice(a, b + 1)) on ? ids.add(r.mediaId) : ids.delete(r.mediaId);
		before.current = i;
		select(ids.size === 0 ? nothing : { all: false, ids });
	};
	const play = (i: number) => {
		const row = rows[i];
		if (row?.hit !== undefined && may("media:read")) toggleHit(row.mediaId, row.hit, row.length);
	};
	const hit = (n: number) => {
		for (let i = current + (inside() || n < 0 ? n : 0); i >= 0 && i < rows.length; i += n) {
			if (rows[i]?.hit === undefined) continue;
			to(i);
			play(i);
			return;
		}
	};
	useKeys([
		{ key: "/", does: "To the bar", run: () => bar.current?.select() },
		{ key: "j", does: "Next call", run: () => step(1) },
		{ key: "ArrowDown", does: "Next call", run: () => step(1) },
		{ key: "k", does: "Previous call", run: () => step(-1) },
		{ key: "ArrowUp", does: "Previous call", run: () => step(-1) },
		{ key: "Enter", does: "Open the call", run: () => rows[current] !== undefined && go(link(["call", rows[current].mediaId])) },
		{ key: " ", does: "Play the hit of the call", run: () => play(current) },
		{ key: "n", does: "Play the hit of the next call", run: () => hit(1) },
		{ key: "p", does: "Play the hit of the previous call", run: () => hit(-1) },
		{ key: "x", does: "Select the call", run: () => pick(current, !(selection.all || selection.ids.has(rows[current]?.mediaId ?? ""))) },
	]);
	return (
		<div ref={box} class={`${hits ? "calls-with-hits" : ""} ${list.loading && list.stale ? "busy" : ""}`} aria-busy={list.loading}>
			<Rows
				items={rows}
				height={height}
				label="Calls"
				near={list.more}
				row={(row, i) => <Row row={row} index={i} selected={selection.all || selection.ids.has(row.mediaId)} select={(on, range) => pick(i, on, range)} current={i === current} focus={() => setAt(i)} />}
			/>
			{list.loading && !list.stale && list.next !== undefined && <Loading what="more calls" />}
		</div>
	);
}

function useHeight(): number {
	const [narrow, setNarrow] = useState(narrowScreen.matches);
	useEffect(() => {
		const change = () => setNarrow(narrowScreen.matches);
		narrowScreen.addEventListener("change", change);
		return () => narrowScreen.removeEventListener("change", change);
	}, []);
	return narrow ? narrowRow : wideRow;
}
