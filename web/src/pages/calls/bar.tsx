// The bar: words or a condition, and the chips of what else restricts the list.

import { date, Icon, IconButton, type Failure, may, useEffect, useId, useState } from "kit";
import { chipLabel } from "./label";
import { change, restricted, type State } from "./state";

export function Bar({ state, failure, bar }: { state: State; failure?: Failure; bar: { current: HTMLInputElement | null } }) {
	const [condition, setCondition] = useState(state.where !== "" || !may("media:read"));
	const run = condition ? state.where : state.words;
	const [text, setText] = useState(run);
	const about = useId();
	useEffect(() => {
		if (state.where !== "") setCondition(true);
		else if (state.words !== "") setCondition(false);
		setText(state.where || state.words);
	}, [state.words, state.where]);
	const go = (e: Event) => {
		e.preventDefault();
		const t = text.trim();
		change(condition ? { where: t, words: "" } : { words: t, where: "" });
	};
	const choose = (c: boolean) => {
		setCondition(c);
		bar.current?.focus();
	};
	const bad = failure !== undefined && failure.status === 400;
	return (
		<form class="calls-bar" role="search" onSubmit={go}>
			<div class="calls-bar-row">
				<div class="toggle-group" role="group" aria-label="What the bar takes">
					<button type="button" aria-pressed={!condition} disabled={!may("media:read")} title={may("media:read") ? "Words that are said in calls" : "Words need the scope media:read"} onClick={() => choose(false)}>
						Words
					</button>
					<button type="button" aria-pressed={condition} title="A condition of the query language, VBQL" onClick={() => choose(true)}>
						Condition
					</button>
				</div>
				<input
					ref={bar}
					type="search"
					class={condition ? "calls-condition" : undefined}
					aria-label={condition ? "Condition" : "Words said in calls"}
					aria-describedby={bad ? about : undefined}
					aria-invalid={bad || undefined}
					placeholder={condition ? '"Caller" SAYS "cancel my account" AND length > 60000' : "refund, “very slow” -router, title:order"}
					maxLength={condition ? 10000 : 2000}
					spellcheck={!condition}
					autocomplete="off"
					value={text}
					onInput={(e) => setText(e.currentTarget.value)}
					onKeyDown={(e) => {
						if (e.key !== "Escape") return;
						e.preventDefault(); // which would empty the field
						e.currentTarget.blur();
					}}
				/>
				<button class="primary">Find</button>
			</div>
			{bad && (
				<div id={about} class="problem" role="alert">
					{failure.problems.map((p) => (
						<pre>{p.code > 0 ? `${p.error} (code ${p.code})` : p.error}</pre>
					))}
				</div>
			)}
			<Chips state={state} bar={bar} />
		</form>
	);
}

function Chips({ state, bar }: { state: State; bar: { current: HTMLInputElement | null } }) {
	if (!restricted(state)) return null;
	const gone = (s: Partial<State>) => {
		change(s);
		bar.current?.focus({ preventScroll: true });
	};
	const several = state.chips.length + Number(state.words + state.where !== "") + Number(state.from + state.until !== "") > 1;
	return (
		<div class="calls-chips">
			<ul aria-label="What restricts the list">
				{state.chips.map((c, i) => {
					const { not, field, text } = chipLabel(c);
					return (
						<li class={not ? "chip calls-not" : "chip"} key={c} title={c}>
							<span>
								{not && <strong>not </strong>}
								{field !== undefined && `${field}: `}
								<bdi>{text}</bdi>
							</span>
							<IconButton icon="close" label={`Remove ${not ? "not " : ""}${field ?? ""} ${text}`} onClick={() => gone({ chips: state.chips.filter((_, n) => n !== i) })} />
						</li>
					);
				})}
				{state.from + state.until !== "" && (
					<li class="chip">
						<Icon name="clock" size={14} />
						<span>{periodLabel(state)}</span>
						<IconButton icon="close" label="Remove the period" onClick={() => gone({ from: "", until: "" })} />
					</li>
				)}
			</ul>
			{several && (
				<button type="button" class="text" onClick={() => gone({ words: "", where: "", chips: [], from: "", until: "" })}>
					Remove all
				</button>
			)}
		</div>
	);
}

/** The days of a period; instants with their time. */
export function periodLabel({ from, until }: Pick<State, "from" | "until">): string {
	if (from === until) return dayLabel(from);
	if (from === "") return `until ${dayLabel(until)}`;
	return until === "" ? `from ${dayLabel(from)}` : `${dayLabel(from)} – ${dayLabel(until)}`;
}

function dayLabel(text: string): string {
	const day = /^\d{4}-\d\d-\d\d$/.test(text);
	const at = new Date(day ? `${text}T12:00` : text);
	if (Number.isNaN(at.getTime())) return text;
	return day ? date(at) : at.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
