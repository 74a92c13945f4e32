// A call in the list.

import { clock, date, Hit, link, may, share, span, time } from "kit";
import type { ExploredRow } from "../../kit/wire";
import { signed } from "./label";

/** What a call is called. */
export const titleOf = (r: { title?: string; externalId?: string; mediaId: string }): string => r.title || r.externalId || r.mediaId;

/** How many categories of a call have a badge; the others are counted. */
const shownCategories = 2;

export function Row({ row, index, selected, select, current, focus }: {
	row: ExploredRow;
	index: number;
	selected: boolean;
	select: (on: boolean, range: boolean) => void;
	current: boolean;
	focus: () => void;
}) {
	const name = titleOf(row);
	const m = row.metrics ?? {};
	return (
		<article class={selected ? "calls-row calls-selected" : "calls-row"} onFocusIn={focus} onClick={focus}>
			<input type="checkbox" aria-label={`Select ${name}`} checked={selected} onClick={(e) => select(e.currentTarget.checked, e.shiftKey)} />
			<div class="calls-name">
				{may("media:read") ? (
					<a href={link(["call", row.mediaId])} data-row={index} tabIndex={current ? 0 : -1} title={name}>
						<bdi>{name}</bdi>
					</a>
				) : (
					<span data-row={index} tabIndex={current ? 0 : -1} title={name}>
						{name}
					</span>
				)}
				<span class="calls-parties">
					{row.title && row.externalId && <bdi>{row.externalId}</bdi>}
					{row.speakers?.map((s) => <bdi>{s}</bdi>)}
				</span>
			</div>
			<time class="calls-when" dateTime={row.dateCreated} title={new Date(row.dateCreated).toLocaleString()}>
				<span>{date(row.dateCreated)}</span> <span class="quiet">{time(row.dateCreated)}</span>
			</time>
			<span class="calls-length" title={span(row.length)}>
				{clock(row.length)}
			</span>
			<Talk metrics={m} />
			<Sentiment value={m["call-sentiment"]} />
			<span class="calls-categories">
				{row.categories?.slice(0, shownCategories).map((c) => (
					<bdi class="badge" title={c}>
						{c}
					</bdi>
				))}
				{(row.categories?.length ?? 0) > shownCategories && (
					<span class="quiet small" title={row.categories?.slice(shownCategories).join(", ")}>
						+{(row.categories?.length ?? 0) - shownCategories}
					</span>
				)}
			</span>
			{row.hit !== undefined && (
				<div class="calls-hit">
					<Hit media={row.mediaId} match={row.hit} length={row.length} tabIndex={current ? 0 : -1} />
					{(row.hitCount ?? 0) > 1 && <span class="quiet small calls-hits">1 of {row.hitCount} hits</span>}
				</div>
			)}
		</article>
	);
}

/** Who talks how much: the two parties share what is talked; silence is a part of the whole call, and so is overtalk. */
function Talk({ metrics }: { metrics: Record<string, number> }) {
	const [agent, caller] = [metrics["agent-talk-ratio"], metrics["caller-talk-ratio"]];
	const [silence = 0, overtalk = 0] = [metrics["silence-ratio"], metrics["overtalk-ratio"]];
	if (agent === undefined && caller === undefined) return <span class="calls-talk" />;
	const [a, c] = [agent ?? 0, caller ?? 0];
	const talk = 1 - silence;
	const text = `Agent ${share(a)} and caller ${share(c)} of the talk; ${share(silence)} silence, ${share(overtalk)} overtalk`;
	const part = (n: number) => ({ flexGrow: Math.max(0, n) });
	return (
		<span class="calls-talk" role="img" aria-label={text} title={text}>
			<i class="calls-agent" style={part((talk * a) / (a + c || 1) - overtalk / 2)} />
			<i class="calls-overtalk" style={part(overtalk)} />
			<i class="calls-caller" style={part((talk * c) / (a + c || 1) - overtalk / 2)} />
			<i class="calls-silence" style={part(silence)} />
		</span>
	);
}

function Sentiment({ value }: { value: number | undefined }) {
	if (value === undefined) return <span class="calls-sentiment" />;
	const kind = value > 0.05 ? "good" : value < -0.05 ? "bad" : "";
	const text = `Sentiment of the call: ${signed(value)}, from −1 to +1`;
	return (
		<span class={`calls-sentiment ${kind}`} title={text}>
			<span class="visually-hidden">Sentiment </span>
			{kind === "good" ? "▲" : kind === "bad" ? "▼" : "●"} {signed(value)}
		</span>
	);
}
