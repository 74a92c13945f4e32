// The player: what stands at the top while the transcript scrolls below.

import { address, bestStream, clock, Failed, IconButton, part, useAnswer, useEffect, useKeys, useMemo, useRef, useState } from "kit";
import { type Call, colour, remember, seek } from "./call";
import { Legend } from "./legend";
import { lanes } from "./peaks";
import { byTime, type Kind, type Place } from "./places";
import { Wave } from "./wave";

const rates = [0.75, 1, 1.25, 1.5, 1.75, 2];

export function Stage({ call, hits, narrow }: { call: Call; hits: Place[]; narrow: boolean }) {
	const { player } = call;
	const streams = useAnswer(`${call.id} ${call.item.status}`, call.streams);
	const names = streams.value?.streams.map((s): string => s.streamName);
	const stream = bestStream(streams.value?.streams ?? []);
	const done = call.words !== null;
	const overview = useAnswer(stream !== undefined && done ? call.id : null, call.overview);
	useEffect(() => {
		if (names === undefined) return;
		player.load(stream === undefined ? null : address(`v3/media/${part(call.id)}/streams/${stream}`), withheld(call, names));
	}, [call, stream, names === undefined]);

	const speakers = useMemo(
		() => (overview.value === undefined ? [-1] : lanes(overview.value, call.words?.activity ?? [], call.words?.apart ?? false)),
		[call, overview.value],
	);
	const rows = useMemo(() => {
		const all = [...hits, ...call.places];
		return (["hit", "category", "detection", "entity"] satisfies Kind[])
			.map((kind) => ({ kind, places: all.filter((p) => p.kind === kind).sort(byTime) }))
			.filter((r) => r.places.length > 0);
	}, [call, hits]);
	useKeys([
		{ key: " ", does: "Play or pause", run: () => (player.toggle(), remember(call)) },
		{ key: "j", does: "5 seconds back", run: () => seek(call, player.now() - 5000) },
		{ key: "l", does: "5 seconds on", run: () => seek(call, player.now() + 5000) },
	]);
	const box = useRef<HTMLDivElement>(null);
	useEffect(() => {
		const e = box.current;
		if (e === null) return;
		// what sticks below the player has to know its height
		const watch = new ResizeObserver(() => e.parentElement?.style.setProperty("--player-height", `${e.offsetHeight + 8}px`));
		watch.observe(e);
		return () => watch.disconnect();
	}, [streams.failure === undefined]);
	if (streams.failure !== undefined) return <Failed failure={streams.failure} again={streams.again} what="Could not load the recording" />;
	const lane = (narrow ? 56 : 88) / Math.max(2, speakers.length);
	const silent = player.broken.value;
	return (
		<div class="player" ref={box}>
			<div class="player-row">
				{player.audible && <Controls call={call} />}
				{silent !== null && silent !== "" && <p class="quiet" role="status">{silent}</p>}
				{speakers.length > 1 && player.audible && <Channels call={call} speakers={speakers} />}
			</div>
			{call.length > 0 && (
				<Wave call={call} overview={overview.value ?? null} speakers={speakers} rows={rows} lane={Math.max(20, lane)} missing={overview.failure !== undefined || stream === undefined} />
			)}
			{overview.failure !== undefined && <p class="quiet small" role="status">No waveform: {overview.failure.message}</p>}
			{!narrow && <Legend call={call} rows={rows} />}
		</div>
	);
}

/** Why an item has no sound. */
function withheld(call: Call, names: string[]): string {
	if (names.some((n) => n.endsWith("-encrypted"))) return "The recording is encrypted: only the holder of the key can hear it.";
	const { status } = call.item;
	if (status === "finished") return "The recording is no longer stored. Its results are.";
	if (status === "failed" || status === "rejected") return "There is no recording to play. If it was to be redacted, it is withheld.";
	return "The recording can be heard when it is processed.";
}

function Controls({ call }: { call: Call }) {
	const { player } = call;
	const on = player.playing.value;
	return (
		<>
			<button type="button" class="primary play" aria-label={on ? "Pause" : "Play"} onClick={() => (player.toggle(), remember(call))}>
				<svg class="icon" width="20" height="20" aria-hidden="true"><use href={`icons.svg#${on ? "pause" : "play"}`} /></svg>
			</button>
			<Clock call={call} />
			<IconButton icon="left" label="5 seconds back" onClick={() => seek(call, player.now() - 5000)} />
			<IconButton icon="right" label="5 seconds on" onClick={() => seek(call, player.now() + 5000)} />
			<label class="speed">
				<span class="visually-hidden">Speed</span>
				<select value={player.rate.value} onChange={(e) => player.setRate(Number(e.currentTarget.value))}>
					{rates.map((r) => (
						<option value={r}>{r}×</option>
					))}
				</select>
			</label>
			<label class="volume">
				<span class="visually-hidden">Volume</span>
				<input type="range" min="0" max="1" step="0.05" value={player.volume.value} onInput={(e) => player.setVolume(Number(e.currentTarget.value))} />
			</label>
		</>
	);
}

/** The position, written without rendering. */
function Clock({ call }: { call: Call }) {
	const text = useRef<HTMLSpanElement>(null);
	useEffect(() => {
		let before = "";
		return call.player.follow((ms) => {
			const now = clock(ms);
			if (text.current !== null && now !== before) text.current.textContent = before = now;
		});
	}, [call]);
	return (
		<span class="player-clock number">
			<span ref={text}>{clock(call.player.now())}</span>
			<span class="quiet"> / {clock(call.length)}</span>
		</span>
	);
}

/** Buttons that mute a channel, or all others. */
function Channels({ call, speakers }: { call: Call; speakers: number[] }) {
	const { player } = call;
	const [solo, setSolo] = useState(-1);
	const muted = player.muted.value;
	const all = speakers.map((_, i) => i);
	const alone = (channel: number) => {
		const off = solo === channel;
		setSolo(off ? -1 : channel);
		player.mute(new Set(off ? [] : all.filter((i) => i !== channel)), speakers.length);
	};
	const mute = (channel: number) => {
		const next = new Set(muted);
		if (!next.delete(channel)) next.add(channel);
		setSolo(-1);
		player.mute(next, speakers.length);
	};
	return (
		<ul class="channels" aria-label="Channels">
			{speakers.map((speaker, channel) => {
				const name = (speaker >= 0 && call.words?.speakers[speaker]) || `Channel ${channel + 1}`;
				return (
					<li class={colour(speaker < 0 ? 5 : speaker)}>
						<bdi title={name}>{name}</bdi>
						<button type="button" class="plain small" aria-pressed={solo === channel} aria-label={`Solo ${name}`} onClick={() => alone(channel)}>
							Solo
						</button>
						<IconButton icon={muted.has(channel) ? "mute" : "sound"} label={`Mute ${name}`} aria-pressed={muted.has(channel)} onClick={() => mute(channel)} />
					</li>
				);
			})}
		</ul>
	);
}
