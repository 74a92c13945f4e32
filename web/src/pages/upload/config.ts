// The configuration of uploads as the form sees it: a JSON text, of which the form reads and changes some places.

export type Json = { [key: string]: unknown };

export const metricGroups = ["overtalk", "sentiment", "talk-style-tone-and-volume", "talk-time-and-rate"];

/** What is asked for unless somebody chooses otherwise: two people, every analysis. */
export const usual = text({
	speechModel: { language: "en-US", features: ["advancedPunctuation", "voiceFeatures", "diarization"] },
	ingest: { stereo: { left: { speakerName: "Agent" }, right: { speakerName: "Caller" } } },
	knowledge: { enableDiscovery: true },
	metrics: metricGroups.map((metricGroupName) => ({ metricGroupName })),
	speakerSentiments: true,
	conversation: { verbNounPairsEnabled: true },
	entity: { enableEntityExtraction: true },
	categories: [{ allCategories: true }],
	publish: { enableAnalyticIndexing: true },
});

export function text(configuration: Json): string {
	return JSON.stringify(configuration, null, 2);
}

/** The object of a text, or what is wrong with it. */
export function parse(text: string): { value: Json } | { mistake: string } {
	try {
		const value: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
		if (typeof value === "object" && value !== null && !Array.isArray(value)) return { value: value as Json };
		return { mistake: "The configuration is one JSON object: { … }" };
	} catch (err) {
		return { mistake: err instanceof Error ? err.message : String(err) };
	}
}

/** The value at a path, such as "publish.enableAnalyticIndexing". */
export function at(c: Json, path: string): unknown {
	return path.split(".").reduce<unknown>((v, name) => (v as Json | undefined)?.[name], c);
}

/** The object with another value at a path; undefined takes it away, and objects that become empty. */
export function put(c: Json, path: string, value: unknown): Json {
	const [name = "", ...rest] = path.split(".");
	const inner = rest.length === 0 ? value : put((c[name] as Json | undefined) ?? {}, rest.join("."), value);
	const empty = inner === undefined || (rest.length > 0 && Object.keys(inner as Json).length === 0);
	const { [name]: _, ...others } = c;
	if (empty) return others;
	return name in c ? { ...c, [name]: inner } : { ...others, [name]: inner };
}

/** A choice of the form: something that is on or off. */
export interface Choice {
	label: string;
	about: string;
	on: (c: Json) => boolean;
	set: (c: Json, on: boolean) => Json;
}

const flag = (label: string, path: string, about: string): Choice => ({
	label,
	about,
	on: (c) => at(c, path) === true || at(c, path) === "true",
	set: (c, on) => put(c, path, on ? true : undefined),
});

const feature = (label: string, name: string, about: string): Choice => ({
	label,
	about,
	on: (c) => list(c, "speechModel.features").includes(name),
	set: (c, on) => {
		const others = list(c, "speechModel.features").filter((f) => f !== name);
		return put(c, "speechModel.features", on ? [...others, name] : others.length > 0 ? others : undefined);
	},
});

const list = (c: Json, path: string): unknown[] => {
	const value = at(c, path);
	return Array.isArray(value) ? value : [];
};

const named = (c: Json, path: string, key: string) => list(c, path).map((e) => (e as Json)[key]);

const redactors = ["PCI", "SSN"].map((detectorName) => ({
	detectorName,
	redactor: { transcript: { replacement: `[${detectorName === "PCI" ? "card" : "ssn"}]` }, audio: { tone: 270, gain: 0.3 } },
}));

export const choices: Choice[] = [
	feature("Punctuation and capitals", "advancedPunctuation", "English"),
	feature("Voices", "voiceFeatures", "volume and pitch of each word; metrics of tone need it"),
	{
		label: "Metrics",
		about: "talk time, overtalk, silence, sentiment, tone",
		on: (c) => metricGroups.every((g) => named(c, "metrics", "metricGroupName").includes(g)),
		set: (c, on) => put(c, "metrics", on ? metricGroups.map((metricGroupName) => ({ metricGroupName })) : undefined),
	},
	flag("Sentiment of each speaker", "speakerSentiments", "sentence by sentence"),
	flag("Keywords and topics", "knowledge.enableDiscovery", "what the call is about"),
	flag("Names, places, amounts", "entity.enableEntityExtraction", "entities"),
	flag("Verbs and nouns", "conversation.verbNounPairsEnabled", "what is done: “cancel order”"),
	{
		label: "Categories",
		about: "all that are saved",
		on: (c) => named(c, "categories", "allCategories").includes(true),
		set: (c, on) => put(c, "categories", on ? [{ allCategories: true }] : undefined),
	},
	{
		label: "Take out card and social security numbers",
		about: "of the transcript, and of the recording",
		on: (c) => redactors.every((r) => named(c, "prediction.detectors", "detectorName").includes(r.detectorName)),
		set: (c, on) => {
			const ours = redactors.map((r) => r.detectorName);
			const others = list(c, "prediction.detectors").filter((d) => !ours.includes((d as Json).detectorName as string));
			const all = on ? [...others, ...redactors] : others;
			return put(c, "prediction.detectors", all.length > 0 ? all : undefined);
		},
	},
	flag("Statistics", "publish.enableAnalyticIndexing", "queries, dashboards and exports count the calls"),
];

/** Who speaks: two people, or whoever there is. */
export function sides(c: Json): { left: string; right: string } | null {
	const left = at(c, "ingest.stereo.left.speakerName");
	const right = at(c, "ingest.stereo.right.speakerName");
	return typeof left === "string" && typeof right === "string" ? { left, right } : null;
}

/** The configuration with two people, a channel each or both on one; null: with one speaker. */
export function withSides(c: Json, names: { left: string; right: string } | null): Json {
	const apart = feature("", "diarization", "");
	if (names === null) return apart.set(put(c, "ingest", undefined), false);
	const stereo = { left: { ...(at(c, "ingest.stereo.left") as Json), speakerName: names.left }, right: { ...(at(c, "ingest.stereo.right") as Json), speakerName: names.right } };
	return apart.set(put(c, "ingest", { stereo }), true);
}
