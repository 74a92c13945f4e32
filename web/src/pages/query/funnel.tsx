// How the calls were found: how many are left after each step.

import { ask, count, Show, useAnswer } from "kit";
import type { Answer } from "../../kit/wire";

const steps = { candidates: "May have the words", fields: "Have the values", checked: "Read word by word" } as const;

export function Funnel({ statement }: { statement: string }) {
	const text = /^\s*explain\b/i.test(statement) ? statement : `EXPLAIN ${statement}`;
	const answer = useAnswer(text, (signal) => ask<Answer>("POST", "v3/analytics/vbql", { body: text, signal }));
	return (
		<Show answer={answer} what="how the calls were found" lines={4}>
			{({ plan }) => plan !== undefined && (
				<>
					<ol class="funnel">
						<Step name="All calls" calls={plan.calls} of={plan.calls} />
						{plan.steps.map((s) => <Step name={steps[s.step]} what={s.what} calls={s.calls} of={plan.calls} />)}
						<Step name="Meet the condition" calls={plan.matched} of={plan.calls} />
					</ol>
					<p class="hint">
						{plan.timeMillis.toFixed(1)} ms in {count(plan.segments)} segments. The statement as it was understood:
					</p>
					<pre class="understood">{plan.query}</pre>
				</>
			)}
		</Show>
	);
}

function Step({ name, what, calls, of }: { name: string; what?: string; calls: number; of: number }) {
	return (
		<li>
			<span class="grow">
				{name} {what !== undefined && <code class="quiet">{what}</code>}
			</span>
			<span class="number">{count(calls)}</span>
			<span class="bar-fill" style={{ width: `${of === 0 ? 0 : (calls / of) * 100}%` }} aria-hidden="true" />
		</li>
	);
}
