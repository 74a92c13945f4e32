// The tabs of the results. What was not asked for is said.

import { adjust, type ComponentChildren, may, Tabs, useState } from "kit";
import type { Media } from "../../kit/wire";
import { Again } from "./again";
import type { Call } from "./call";
import { Deliveries } from "./deliveries";
import { Categories, Predictions } from "./judged";
import { MetadataTab } from "./metadata";
import { Metrics } from "./metrics";
import { Entities, Keywords, Spotted, Topics, Verbs } from "./said";
import { Sentiment } from "./sentiment";

interface Tab {
	key: string;
	label: string;
	/** How many entries it has; undefined if it was not asked for. */
	count?: (item: Media) => number | undefined;
	/** The property of a configuration that asks for it. */
	asked?: string;
	/** What stands in an empty one. */
	none?: string;
	show: (call: Call) => ComponentChildren;
}

const results: Tab[] = [
	{ key: "metrics", label: "Metrics", asked: "metrics", count: (i) => i.metrics?.reduce((n, g) => n + g.metricValues.length, 0), none: "No metric was asked for.", show: (call) => <Metrics call={call} /> },
	{ key: "sentiment", label: "Sentiment", asked: "speakerSentiments", count: (i) => i.speakerSentiments?.length, none: "Nobody speaks.", show: (call) => <Sentiment call={call} /> },
	{ key: "topics", label: "Topics", asked: "knowledge.enableDiscovery", count: (i) => i.knowledge?.topics.length, none: "No topic was found.", show: (call) => <Topics call={call} /> },
	{ key: "entities", label: "Entities", asked: "entity.enableEntityExtraction", count: (i) => i.entities?.length, none: "No entity was found.", show: (call) => <Entities call={call} /> },
	{ key: "keywords", label: "Keywords", asked: "knowledge.enableDiscovery", count: (i) => i.knowledge?.keywords.length, none: "No keyword was found.", show: (call) => <Keywords call={call} /> },
	{ key: "spotting", label: "Spotting", asked: "spotting.groups", count: (i) => i.spotting?.groups.length, none: "No group was asked for.", show: (call) => <Spotted call={call} /> },
	{ key: "verbs", label: "Verbs", asked: "conversation.verbNounPairsEnabled", count: (i) => i.conversation?.speakerVerbNounPairs.reduce((n, s) => n + s.verbNounPairs.length, 0), none: "No verb with a noun was found.", show: (call) => <Verbs call={call} /> },
	{ key: "categories", label: "Categories", asked: "categories", count: (i) => i.categories?.length, none: "No category was asked for.", show: (call) => <Categories call={call} /> },
	{ key: "predictions", label: "Predictions", asked: "prediction", count: (i) => i.prediction && (i.prediction.classifiers?.length ?? 0) + (i.prediction.detectors?.length ?? 0), none: "No classifier and no detector was asked for.", show: (call) => <Predictions call={call} /> },
];

/** The tabs beside the transcript; on narrow screens the transcript is the first of them. */
export function Panel({ call, tab, narrow, transcript, reload, changed }: {
	call: Call;
	tab: string;
	narrow: boolean;
	transcript: ComponentChildren;
	reload: () => void;
	changed: (metadata: Record<string, unknown>) => void;
}) {
	const [again, setAgain] = useState(false);
	const all: Tab[] = [
		...(narrow && call.words !== null ? [{ key: "transcript", label: "Transcript", show: () => transcript }] : []),
		...(call.words !== null ? results : []),
		{ key: "metadata", label: "Metadata", show: () => <MetadataTab call={call} changed={changed} /> },
		{ key: "deliveries", label: "Deliveries", show: () => <Deliveries call={call} /> },
	];
	const shown = all.find((t) => t.key === tab) ?? all[0];
	if (shown === undefined) return null;
	const n = shown.count?.(call.item);
	return (
		<section class="panel" aria-label="Results">
			<Tabs
				id="call"
				label="Results of the call"
				tabs={all.map((t) => ({ key: t.key, label: t.label, count: t.count?.(call.item) }))}
				value={shown.key}
				choose={(key) => adjust({ tab: key }, { replace: true })}
			/>
			<div id="call-panel" role="tabpanel" aria-labelledby={`call-${shown.key}`} class="panel-body">
				{shown.count !== undefined && n === undefined ? (
					<div class="empty">
						<p class="empty-title">Not computed</p>
						<p>
							<code>{shown.asked}</code> was not in the configuration.
						</p>
						{may("media:write")
							? <button type="button" onClick={() => setAgain(true)}>Process again…</button>
							: <p class="small">Processing again needs the scope media:write.</p>}
					</div>
				) : n === 0 ? <p class="quiet">{shown.none}</p> : shown.show(call)}
			</div>
			{again && <Again call={call} close={() => setAgain(false)} started={reload} />}
		</section>
	);
}
