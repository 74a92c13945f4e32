// The page of a call: sound, words and results, each a way to the others.

import { adjust, Empty, type Failure, Heading, link, Failed, Loading, type Route, useAnswer, useEffect, useMemo, useState } from "kit";
import type { Media } from "../../kit/wire";
import { type Call, load, title } from "./call";
import { Finder, useFind } from "./find";
import { Head, Notices } from "./head";
import { HitBar, useHits } from "./hits";
import { Panel } from "./panel";
import type { Place } from "./places";
import { Stage } from "./stage";
import { busy, Errors, Sealed, Steps } from "./state";
import { Transcript } from "./transcript";
import { type Stretch, stretches } from "./words";

export default function Page({ route }: { route: Route }) {
	const id = route.rest[0] ?? "";
	const [, render] = useState(0);
	const answer = useAnswer(id === "" ? null : id, (signal) => load(id, signal), { keep: true });
	const call = answer.value?.id === id ? answer.value : undefined;
	useEffect(() => () => call?.player.end(), [call]);
	useEffect(() => {
		if (call !== undefined) document.title = `${title(call.item)} – Parley`;
	}, [call]);
	if (call === undefined) {
		return (
			<>
				<Heading title="Call" />
				<Absent id={id} failure={answer.failure} again={answer.again} />
			</>
		);
	}
	const changed = (metadata: Record<string, unknown>) => {
		call.item.metadata = metadata as Media["metadata"]; // the same call: its sound plays on
		render((n) => n + 1);
	};
	return <Shown key={call.id} call={call} route={route} reload={answer.again} changed={changed} />;
}

/** What stands there while a call is loaded, and where there is none. */
function Absent({ id, failure, again }: { id: string; failure: Failure | undefined; again: () => void }) {
	if (id === "") return <Empty title="No call is named">Its address ends with its id. <a href={link("calls")}>To the calls</a></Empty>;
	if (failure?.status === 404) {
		return (
			<Empty icon="calls" title="There is no such call">
				<p>It was deleted, has expired, or belongs to another account.</p>
				<a href={link("calls")}>To the calls</a>
			</Empty>
		);
	}
	if (failure !== undefined) return <Failed failure={failure} again={again} what="Could not load the call" />;
	return <Loading what="the call" lines={8} />;
}

/** Reports whether the window is too narrow for transcript and results side by side. */
function useNarrow(): boolean {
	const query = useMemo(() => matchMedia("(max-width: 68rem)"), []);
	const [narrow, setNarrow] = useState(query.matches);
	useEffect(() => {
		const changed = () => setNarrow(query.matches);
		query.addEventListener("change", changed);
		return () => query.removeEventListener("change", changed);
	}, []);
	return narrow;
}

function Shown({ call, route, reload, changed }: {
	call: Call;
	route: Route;
	reload: () => void;
	changed: (metadata: Record<string, unknown>) => void;
}) {
	const { query } = route;
	const { item } = call;
	const narrow = useNarrow();
	const words = query.get("words") ?? "";
	const hits = useHits(call, query.get("q") ?? "", words);
	const found = useFind(call.words, query.get("find") ?? "");
	const t = Number(query.get("t") ?? 0);
	useEffect(() => {
		if (t === call.noted) return;
		call.noted = t;
		if (t === 0) return;
		call.player.seek(t);
		call.shown.value = { ms: t, round: call.shown.peek().round + 1 };
	}, [call, t]);
	const places: Place[] = hits.list;
	const marked = useMemo<Stretch[]>(() => (call.words === null ? [] : places.flatMap((h) => stretches(call.words as NonNullable<Call["words"]>, h.s, h.e, h.speaker))), [call, places]);
	const shading = query.get("shading") !== "off";
	const sealed = item.encryption !== undefined && !busy(item.status);
	const transcript = call.words !== null && (
		<section class="text" aria-label="Transcript">
			<div class="text-head">
				<Finder found={found} />
				<label class="check small">
					<input type="checkbox" checked={shading} onChange={() => adjust({ shading: shading ? "off" : undefined }, { replace: true })} /> Mark doubtful words
				</label>
			</div>
			<Transcript call={call} found={found.list} hits={marked} now={found.list[found.at] ?? null} shading={shading} />
		</section>
	);
	return (
		<div class={narrow ? "call narrow" : "call"}>
			<Head call={call} metadata={item.metadata} reload={reload} />
			<Notices call={call} />
			<Errors call={call} reload={reload} />
			{busy(item.status) && <Steps call={call} ended={reload} />}
			{sealed ? <Sealed call={call} /> : (
				<>
					{item.status !== "rejected" && <Stage call={call} hits={places} narrow={narrow} />}
					<HitBar call={call} hits={hits} words={words} />
					<div class="call-body">
						{!narrow && transcript}
						<Panel call={call} tab={query.get("tab") ?? ""} narrow={narrow} transcript={transcript} reload={reload} changed={changed} />
					</div>
				</>
			)}
		</div>
	);
}
