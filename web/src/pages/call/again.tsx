// Processes the call again: as before, or with other analyses.

import { ask, Dialog, Failed, Field, may, part, useAnswer, useChange, useState } from "kit";
import type { Configuration, Media, Presets } from "../../kit/wire";
import type { Call } from "./call";

/** The analyses that can be asked for: what the configuration says, and whether an item has them. */
const analyses: { name: string; part: (on: Media | null) => Partial<Configuration>; has: (i: Media) => boolean }[] = [
	{ name: "Metrics", has: (i) => i.metrics !== undefined, part: () => ({ metrics: groups.map((metricGroupName) => ({ metricGroupName })) }) },
	{ name: "Sentiment of sentences", has: (i) => i.speakerSentiments !== undefined, part: () => ({ speakerSentiments: true }) },
	{ name: "Keywords and topics", has: (i) => i.knowledge !== undefined, part: () => ({ knowledge: { enableDiscovery: true } }) },
	{ name: "Entities", has: (i) => i.entities !== undefined, part: () => ({ entity: { enableEntityExtraction: true } }) },
	{ name: "Verbs with their nouns", has: (i) => i.conversation !== undefined, part: () => ({ conversation: { verbNounPairsEnabled: true } }) },
];

const groups = ["overtalk", "sentiment", "talk-style-tone-and-volume", "talk-time-and-rate"] as const;

interface Named {
	categories: string[];
	groups: string[];
}

/** Names of definitions that the key may read. */
async function named(signal: AbortSignal): Promise<Named> {
	const [c, g] = await Promise.all([
		ask<{ categories: { categoryName: string }[] }>("GET", "v3/definition/categories", { signal }),
		ask<{ groups: { groupName: string }[] }>("GET", "v3/definition/spotting/groups", { signal }),
	]);
	return { categories: c.categories.map((x) => x.categoryName), groups: g.groups.map((x) => x.groupName) };
}

const detectors = ["PCI", "SSN", "PII", "Number"];

export function Again({ call, close, started }: { call: Call; close: () => void; started: () => void }) {
	const { item } = call;
	const [same, setSame] = useState(true);
	const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set([
		...analyses.filter((a) => a.has(item)).map((a) => a.name),
		...(item.categories ?? []).map((c) => `category ${c.categoryName}`),
		...(item.spotting?.groups ?? []).map((g) => `group ${g.groupName}`),
		...(item.prediction?.detectors ?? []).map((d) => `detector ${d.detectorName}`),
		...(item.prediction?.classifiers ?? []).map((c) => `classifier ${c.classifierName}`),
	]));
	const [edited, setEdited] = useState<string | null>(null);
	const names = useAnswer(!same && may("definitions") ? "names" : null, named);
	const saved = useAnswer(!same && may("definitions") ? "presets" : null, (signal) => ask<Presets>("GET", "v3/definition/presets", { signal }));
	const presets = saved.value?.presets ?? [];
	const text = edited ?? JSON.stringify(configuration(call, chosen), null, 2);
	const change = useChange(async () => {
		const form = new FormData();
		if (!same) form.set("configuration", text);
		await ask("POST", `v3/media/${part(call.id)}`, same ? {} : { body: form });
		started();
		close();
	});
	const box = (key: string, label: string) => (
		<label class="check">
			<input type="checkbox" checked={chosen.has(key)} onChange={() => {
				const next = new Set(chosen);
				if (!next.delete(key)) next.add(key);
				setChosen(next);
				setEdited(null);
			}} />{" "}
			<bdi>{label}</bdi>
		</label>
	);
	const all = (kind: string, list: string[]) => [...new Set([...list, ...[...chosen].filter((k) => k.startsWith(`${kind} `)).map((k) => k.slice(kind.length + 1))])];
	return (
		<Dialog title="Process again" close={close} wide>
			<p>
				{item.status === "failed"
					? "Everything is done again, from the start."
					: "The words stay; everything that follows from them is done again. Until then the present results stay."}
			</p>
			<label class="check">
				<input type="radio" name="how" checked={same} onChange={() => setSame(true)} /> As before, with the present definitions of its categories and groups
			</label>
			<label class="check">
				<input type="radio" name="how" checked={!same} onChange={() => setSame(false)} /> With another configuration, which replaces the earlier one
			</label>
			{!same && (
				<>
					{presets.length > 0 && (
						<Field label="Begin with a preset">
							{(a) => (
								<select {...a} onChange={(e) => {
									const preset = presets.find((p) => p.presetName === e.currentTarget.value);
									setEdited(preset === undefined ? null : JSON.stringify(preset.configuration, null, 2));
								}}>
									<option value="">none: what is ticked below</option>
									{presets.map((p) => <option value={p.presetName}>{p.presetName}</option>)}
								</select>
							)}
						</Field>
					)}
					<fieldset class="checks">
						<legend>What is computed</legend>
						{analyses.map((a) => box(a.name, a.name))}
						{all("category", names.value?.categories ?? []).map((c) => box(`category ${c}`, `Category ${c}`))}
						{all("group", names.value?.groups ?? []).map((g) => box(`group ${g}`, `Group ${g}`))}
						{all("detector", detectors).map((d) => box(`detector ${d}`, `Detector ${d}`))}
						{all("classifier", []).map((c) => box(`classifier ${c}`, `Classifier ${c}`))}
					</fieldset>
					<Field label="Configuration" hint="What is sent. Add callbacks, redactors and all else that is to apply: nothing of the earlier configuration stays.">
						{(a) => <textarea {...a} class="code" rows={10} spellcheck={false} value={text} onInput={(e) => setEdited(e.currentTarget.value)} />}
					</Field>
				</>
			)}
			{change.failure !== undefined && <Failed failure={change.failure} what="Not started" />}
			<div class="actions end">
				<button type="button" onClick={close}>Cancel</button>
				<button type="button" class="primary" disabled={change.busy} onClick={() => change.run()}>Process again</button>
			</div>
		</Dialog>
	);
}

/** The configuration of what is chosen. Speakers keep their names. */
function configuration(call: Call, chosen: ReadonlySet<string>): Configuration {
	const of = (kind: string) => [...chosen].filter((k) => k.startsWith(`${kind} `)).map((k) => k.slice(kind.length + 1));
	const made: Configuration = {};
	for (const a of analyses) if (chosen.has(a.name)) Object.assign(made, a.part(null));
	const [categories, spotted, found, classified] = ["category", "group", "detector", "classifier"].map(of) as [string[], string[], string[], string[]];
	if (categories.length > 0) made.categories = categories.map((categoryName) => ({ categoryName }));
	if (spotted.length > 0) made.spotting = { groups: spotted.map((groupName) => ({ groupName })) };
	if (found.length + classified.length > 0) {
		made.prediction = {
			...(classified.length > 0 && { classifiers: classified.map((classifierName) => ({ classifierName })) }),
			...(found.length > 0 && { detectors: found.map((detectorName) => ({ detectorName })) }),
		};
	}
	if (call.words?.turns.some((t) => /[.,?!]/.test(t.text))) made.speechModel = { features: ["advancedPunctuation"] };
	made.publish = { enableAnalyticIndexing: true };
	return made;
}
