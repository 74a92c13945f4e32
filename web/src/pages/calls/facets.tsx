// Which values the fields of the calls have, how often, and the way to these calls or to the others.

import { ask, count, Failed, Icon, IconButton, joined, Loading, may, useAnswer, useEffect, useState } from "kit";
import type { AnalyticSchema, Exploration, Facet } from "../../kit/wire";
import { bare, fieldLabel, fieldOf, negated, numberLabel, rangeLabel } from "./label";
import { asked, change, type State } from "./state";

/** The facet of all categories together. */
const categories = "categories";
const measured = ["metrics:call-sentiment", "length", "metrics:agent-talk-ratio", "metrics:caller-talk-ratio", "metrics:silence-ratio", "metrics:overtalk-ratio"];

/** Metadata of which nearly every call has a value of its own. */
const own = /^metadata:(title|externalId|description)$/;

/** How many facets, and how many categories, are counted at a time; the API allows 20 in all. */
const [mostOpen, mostCategories] = [8, 12];

export interface Choice {
	/** Fields that can be opened, in their order. */
	all: string[];
	open: string[];
	/** Names of fields of categories. */
	categories: string[];
	/** The fields that are asked for. */
	fields: string[];
}

/** The facets of an account: those that all have, and its categories and metadata. */
export function choice(state: State, schema: AnalyticSchema | undefined): Choice {
	const names = (schema?.fields ?? []).map((f) => f.field);
	const metadata = may("media:read") ? names.filter((n) => n.startsWith("metadata:") && !own.test(n)) : [];
	const found = names.filter((n) => n.startsWith("categories:"));
	const all = ["language", ...(found.length > 0 ? [categories] : []), ...measured, ...metadata];
	const usual = ["language", categories, "metrics:call-sentiment", "length", ...metadata.slice(0, 2)];
	const open = (state.open ?? usual).filter((n) => all.includes(n)).slice(0, mostOpen);
	const fields = open.flatMap((n) => (n === categories ? found.slice(0, mostCategories) : [n]));
	return { all, open, categories: found, fields };
}

export function Facets({ state, choice, found, failed, schema }: {
	state: State;
	choice: Choice;
	found: Exploration | undefined;
	failed: boolean;
	schema: { failure?: import("kit").Failure; again: () => void };
}) {
	const [narrow, setNarrow] = useState("");
	const toggle = (name: string) => {
		const open = choice.open.includes(name) ? choice.open.filter((n) => n !== name) : [...choice.open, name].slice(-mostOpen);
		change({ open }, true);
	};
	const low = narrow.toLowerCase();
	const shown = choice.all.filter((n) => label(n).toLowerCase().includes(low));
	return (
		<div class="calls-facets">
			{choice.all.length > 10 && (
				<input type="search" class="calls-facet-search" aria-label="Find a field" placeholder="Find a field" value={narrow} onInput={(e) => setNarrow(e.currentTarget.value)} />
			)}
			{schema.failure !== undefined && <Failed failure={schema.failure} again={schema.again} what="Fields of metadata are missing" />}
			{shown.map((name) => {
				const open = choice.open.includes(name);
				return (
					<section class="calls-facet" key={name}>
						<h2>
							<button type="button" aria-expanded={open} onClick={() => toggle(name)}>
								<Icon name={open ? "down" : "right"} size={14} /> <bdi>{label(name)}</bdi>
							</button>
						</h2>
						{open && (found?.facets === undefined ? failed ? <p class="quiet small">Not counted.</p> : <Loading what="counts" /> : name === categories ? <Categories state={state} choice={choice} found={found} /> : <One state={state} facet={found.facets.find((f) => f.field === name)} />)}
					</section>
				);
			})}
		</div>
	);
}

const label = (name: string): string => (name === categories ? "Categories" : fieldLabel(name));

/** Restricts the list to a value, in place of another one of the field, or excludes the value. */
function restrict(state: State, condition: string, not: boolean): void {
	const field = fieldOf(condition);
	const single = !not && field !== undefined && !field.startsWith("categories:");
	const others = state.chips.filter((c) => c !== condition && c !== `NOT (${condition})` && !(single && !negated(c) && fieldOf(c) === field));
	change({ chips: [...others, not ? `NOT (${condition})` : condition] });
}

interface Value {
	text: string;
	calls: number;
	condition: string;
}

function One({ state, facet }: { state: State; facet: Facet | undefined }) {
	const [prefix, setPrefix] = useState("");
	if (facet === undefined) return <p class="quiet small">Not counted.</p>;
	const { field } = facet;
	const values = facet.values.map((v) => ({ calls: v.calls, condition: v.condition, text: textOf(field, v) }));
	const searched = facet.otherValues > 0 || prefix !== "";
	return (
		<>
			{searched && <input type="search" class="calls-facet-search" aria-label={`Find a value of ${fieldLabel(field)}`} placeholder="Find a value" value={prefix} onInput={(e) => setPrefix(e.currentTarget.value)} />}
			{prefix !== "" ? <Searched state={state} field={field} text={prefix} /> : <Values state={state} values={values} />}
			{prefix === "" && facet.otherValues > 0 && (
				<p class="quiet small calls-facet-rest">
					{count(facet.otherValues)} further values, in {count(facet.otherCalls)} calls
				</p>
			)}
			{prefix === "" && facet.withoutValue > 0 && <Values state={state} values={[{ text: "without a value", calls: facet.withoutValue, condition: `${field} IS NULL` }]} quiet />}
			{values.length === 0 && facet.withoutValue === 0 && <p class="quiet small">No calls.</p>}
		</>
	);
}

function textOf(field: string, v: Facet["values"][number]): string {
	if (v.value === undefined) return rangeLabel(field, v.from, v.to);
	return typeof v.value === "number" ? numberLabel(field, v.value) : String(v.value);
}

/** Values that contain a text, counted among the calls that are shown. */
function Searched({ state, field, text }: { state: State; field: string; text: string }) {
	const [late, setLate] = useState(text);
	useEffect(() => {
		const wait = setTimeout(() => setLate(text), 200);
		return () => clearTimeout(wait);
	}, [text]);
	const quoted = JSON.stringify(`%${late}%`);
	const where = joined([state.where, ...state.chips, `${field} LIKE ${quoted}`]);
	const body = { ...asked(state), where, include: ["facets"], facets: [field], facetLimit: 30 };
	const answer = useAnswer(JSON.stringify(body), (signal) => ask<Exploration>("POST", "v3/analytics/explore", { body, signal }), { keep: true });
	if (answer.failure !== undefined) return <Failed failure={answer.failure} again={answer.again} />;
	const values = answer.value?.facets?.[0]?.values;
	if (values === undefined) return <Loading what="values" />;
	if (values.length === 0) return <p class="quiet small">No value contains this.</p>;
	return <Values state={state} values={values.map((v) => ({ calls: v.calls, condition: v.condition, text: textOf(field, v) }))} />;
}

function Categories({ state, choice, found }: { state: State; choice: Choice; found: Exploration }) {
	const [text, setText] = useState("");
	const facets = found.facets ?? [];
	const values = choice.fields
		.filter((n) => n.startsWith("categories:"))
		.map((n) => {
			const yes = facets.find((f) => f.field === n)?.values.find((v) => v.value === 1);
			return { text: bare(n), calls: yes?.calls ?? 0, condition: yes?.condition ?? `${n} = 1` };
		})
		.sort((a, b) => b.calls - a.calls);
	const others = choice.categories.filter((n) => !choice.fields.includes(n) && text !== "" && bare(n).toLowerCase().includes(text.toLowerCase()));
	const many = choice.categories.length > mostCategories;
	return (
		<>
			{many && <input type="search" class="calls-facet-search" aria-label="Find a category" placeholder="Find a category" value={text} onInput={(e) => setText(e.currentTarget.value)} />}
			<Values state={state} values={values.filter((v) => v.text.toLowerCase().includes(text.toLowerCase()))} />
			{others.slice(0, 20).map((n) => (
				<button type="button" class="text small" onClick={() => restrict(state, `${n} = 1`, false)}>
					<bdi>{bare(n)}</bdi>
				</button>
			))}
		</>
	);
}

function Values({ state, values, quiet = false }: { state: State; values: Value[]; quiet?: boolean }) {
	const most = Math.max(1, ...values.map((v) => v.calls));
	return (
		<ul class={quiet ? "calls-values calls-quiet" : "calls-values"}>
			{values.map((v) => {
				const on = state.chips.includes(v.condition);
				return (
					<li key={v.condition} style={{ "--part": v.calls / most }}>
						<button type="button" class="calls-value" aria-pressed={on} disabled={v.calls === 0 && !on} title={on ? "Remove" : `Only ${v.text}`} onClick={() => (on ? change({ chips: state.chips.filter((c) => c !== v.condition) }) : restrict(state, v.condition, false))}>
							<bdi>{v.text}</bdi>
							<span class="calls-value-count">{count(v.calls)}</span>
						</button>
						<IconButton icon="minus" label={`Not ${v.text}`} disabled={v.calls === 0} onClick={() => restrict(state, v.condition, true)} />
					</li>
				);
			})}
		</ul>
	);
}
