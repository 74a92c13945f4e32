// What statements are made of: fields of the account, functions, whole examples. A click inserts.

import { ask, Show, useAnswer, useState } from "kit";
import type { AnalyticSchema } from "../../kit/wire";

const snippets: [string, string][] = [
	["Words, by one speaker", 'WHERE "Agent" SAYS "thank you for calling"'],
	["In the first minute", 'WHERE * SAYS "recorded" [0s, 60s]'],
	["Not said", 'WHERE NOT "Agent" SAYS "anything else"'],
	["One after the other", 'WHERE "Caller" SAYS "cancel" FOLLOWED BY WITHIN 30s "Agent" SAYS "offer"'],
	["Long silence", "WHERE silence(15s)"],
	["Calls by day", "SELECT date_trunc('day', dateCreated) AS day, count(*) AS calls FROM media GROUP BY date_trunc('day', dateCreated) ORDER BY day LIMIT 100"],
	["Talk ratio by agent", 'SELECT metadata:agent:fullName AS agent, count(*) AS calls, avg(metrics:"agent-talk-ratio") AS ratio FROM media GROUP BY metadata:agent:fullName ORDER BY calls DESC LIMIT 50'],
];

export function Drawer({ insert }: { insert: (text: string) => void }) {
	const schema = useAnswer("schema", (signal) => ask<AnalyticSchema>("GET", "v3/analytics/schema", { signal }));
	const [filter, setFilter] = useState("");
	return (
		<aside class="drawer" aria-label="Fields and examples">
			<h2>Examples</h2>
			<ul>
				{snippets.map(([title, text]) => (
					<li>
						<button type="button" class="plain" title={text} onClick={() => insert(text)}>
							{title}
						</button>
					</li>
				))}
			</ul>
			<h2 id="fields">Fields</h2>
			<input type="search" aria-label="Find a field" placeholder="Find a field" value={filter} onInput={(e) => setFilter(e.currentTarget.value)} />
			<Show answer={schema} what="the fields" lines={6}>
				{({ fields }) => (
					<ul aria-labelledby="fields">
						{fields.filter((f) => f.field.toLowerCase().includes(filter.toLowerCase())).map((f) => (
							<li>
								<button type="button" class="plain" onClick={() => insert(f.field)}>
									<bdi class="code-text">{f.field}</bdi> <span class="quiet small">{f.type}</span>
								</button>
							</li>
						))}
					</ul>
				)}
			</Show>
		</aside>
	);
}
