// The newest calls that a condition finds: play each hit, judge it, and see how precise the condition is.

import { date, Hit, IconButton, link, share, signal, time } from "kit";
import type { TrialSample } from "../../kit/wire";

/** What somebody has judged, by condition and call: whether the call belongs to the category. */
const judgements = signal<ReadonlyMap<string, boolean>>(new Map());

const most = 2;

export function Samples({ samples, judged, condition }: { samples: readonly TrialSample[]; judged: boolean; condition: string }) {
	const key = (id: string) => `${condition}\n${id}`;
	const judge = (id: string, right: boolean) => {
		const all = new Map(judgements.value);
		if (all.get(key(id)) === right) all.delete(key(id));
		else all.set(key(id), right);
		judgements.value = all;
	};
	return (
		<>
			{judged && <Precision condition={condition} />}
			<ul class="samples">
				{samples.map((s) => (
					<li key={s.mediaId}>
						<div class="samples-head">
							<a href={link(["call", s.mediaId], { q: condition })}>
								{date(s.dateCreated)} {time(s.dateCreated)}
							</a>
							{judged && (
								<span class="actions">
									<IconButton icon="check" label="It belongs to the category" aria-pressed={judgements.value.get(key(s.mediaId)) === true} onClick={() => judge(s.mediaId, true)} />
									<IconButton icon="close" label="It does not belong to it" aria-pressed={judgements.value.get(key(s.mediaId)) === false} onClick={() => judge(s.mediaId, false)} />
								</span>
							)}
						</div>
						{s.hits.slice(0, most).map((h) => (
							<Hit media={s.mediaId} match={h} />
						))}
					</li>
				))}
			</ul>
		</>
	);
}

/** The share of right ones among those judged, with its interval of 95 % (Wilson 1927). */
function Precision({ condition }: { condition: string }) {
	const all = [...judgements.value].filter(([k]) => k.startsWith(`${condition}\n`));
	if (all.length === 0) return <p class="hint">Judge samples to see how precise the condition is: ✓ belongs to it, ✗ does not.</p>;
	const right = all.filter(([, r]) => r).length;
	const [low, high] = wilson(right, all.length);
	return (
		<p role="status">
			Precision <strong class="number">{share(right / all.length)}</strong> of {all.length} judged (95 %: {share(low)} to {share(high)})
		</p>
	);
}

export function wilson(right: number, all: number): [number, number] {
	const z = 1.96;
	const p = right / all;
	const middle = (p + (z * z) / (2 * all)) / (1 + (z * z) / all);
	const half = (z * Math.sqrt((p * (1 - p)) / all + (z * z) / (4 * all * all))) / (1 + (z * z) / all);
	return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
