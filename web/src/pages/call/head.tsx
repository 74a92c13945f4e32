// What stands above the player: what call it is, and what can be done with all of it.

import { address, ask, clock, type ComponentChildren, Confirm, date, Dialog, Failed, Field, go, Heading, Icon, link, may, Menu, part, say, useAnswer, useChange, useState, when } from "kit";
import type { Exploration, Streams } from "../../kit/wire";
import { Again } from "./again";
import { type Call, callsOf, fileName, remove, title } from "./call";
import { clip, longest } from "./selected";

export function Head({ call, reload }: { call: Call; reload: () => void }) {
	const { item } = call;
	const [open, setOpen] = useState<"again" | "delete" | "clip" | null>(null);
	const close = () => setOpen(null);
	const details = item.metadata?.callDetails;
	const ended = item.status === "finished" || item.status === "failed";
	const sealed = item.encryption !== undefined && ended;
	const deletion = useChange(async () => {
		await remove(call.id);
		say("The call is deleted.");
		go(link("calls"), { replace: true });
	});
	return (
		<>
			<Heading title={title(item)} above={<a href={link("calls")} class="small">All calls</a>}>
				<Downloads call={call} sealed={sealed} clip={() => setOpen("clip")} />
				{may("media:write") && (
					<>
						{ended && !sealed && (
							<button type="button" onClick={() => setOpen("again")}>
								<Icon name="again" size={16} /> Process again
							</button>
						)}
						<button type="button" class="danger" onClick={() => setOpen("delete")}>
							<Icon name="trash" size={16} /> Delete
						</button>
					</>
				)}
			</Heading>
			<dl class="facts">
				<Fact name="Parties"><span>{parties(call).map((p, i) => <>{i > 0 && ", "}<bdi>{p}</bdi></>)}</span></Fact>
				<Fact name="Date">{when(call.item.metadata?.callDetails?.callStartTime || item.dateCreated)}</Fact>
				{call.length > 0 && <Fact name="Length">{clock(call.length)}</Fact>}
				{details?.callDirection && <Fact name="Direction"><bdi>{details.callDirection}</bdi></Fact>}
				<Language call={call} />
				{item.metadata?.externalId && <Fact name="External id"><bdi>{item.metadata.externalId}</bdi></Fact>}
				{(item.categories ?? []).some((c) => c.categoryValue === 1) && (
					<Fact name="Categories">
						{item.categories?.filter((c) => c.categoryValue === 1).map((c) => (
							<a class="chip" href={callsOf(`categories:"${c.categoryName}" = 1`)}><bdi>{c.categoryName}</bdi></a>
						))}
					</Fact>
				)}
			</dl>
			{item.metadata?.description && <p class="quiet description"><bdi>{item.metadata.description}</bdi></p>}
			{open === "again" && <Again call={call} close={close} started={reload} />}
			{open === "clip" && <Clip call={call} close={close} />}
			{open === "delete" && (
				<Confirm title="Delete this call?" word="Delete" close={close} run={() => deletion.run()} busy={deletion.busy}>
					<p>
						<bdi>{title(item)}</bdi>, its words, its results and its metadata are deleted for everybody. This cannot be undone.
					</p>
					{deletion.failure !== undefined && <Failed failure={deletion.failure} what="Not deleted" />}
				</Confirm>
			)}
		</>
	);
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
	return (
		<div>
			<dt>{name}</dt>
			<dd>{children}</dd>
		</div>
	);
}

function parties(call: Call): string[] {
	const d = call.item.metadata?.callDetails;
	const people = [d?.agent?.fullName || d?.agent?.externalId, d?.caller?.fullName || d?.caller?.phone || d?.ani].filter((p): p is string => Boolean(p));
	const speakers = (call.words?.speakers ?? []).filter((s) => s !== "");
	return people.length > 0 ? people : speakers.length > 0 ? speakers : ["not named"];
}

/** The language, which only lists of calls say. */
function Language({ call }: { call: Call }) {
	const body = { where: `mediaId = "${call.id}"`, include: ["rows"], limit: 1 };
	const answer = useAnswer(may("analytics") && call.words !== null ? call.id : null, (signal) =>
		ask<Exploration>("POST", "v3/analytics/explore", { body, signal, silent: true }),
	);
	const code = answer.value?.rows?.[0]?.language;
	if (code === undefined || code === "") return null;
	let name = code;
	try {
		name = new Intl.DisplayNames(undefined, { type: "language" }).of(code) ?? code;
	} catch {
		// no code of a language that the browser knows
	}
	return <Fact name="Language">{name}</Fact>;
}

function Downloads({ call, sealed, clip: openClip }: { call: Call; sealed: boolean; clip: () => void }) {
	const { id, item } = call;
	const path = `v3/media/${part(id)}`;
	const done = call.words !== null;
	if (!done && !sealed && !call.player.audible) return null;
	return (
		<Menu label="Download" icon="download" end>
			{sealed && <a href={address(`${path}/encrypted`)} download={fileName(item, "asc")}>Everything, encrypted</a>}
			{done && (
				<>
					<a href={address(path)} download={fileName(item, "json")}>All results (JSON)</a>
					<a href={address(`${path}/transcript/text`)} download={fileName(item, "txt")}>Text</a>
					<a href={address(`${path}/transcript/srt`)} download={fileName(item, "srt")}>Captions (SRT)</a>
					<a href={address(`${path}/transcript/webvtt`)} download={fileName(item, "vtt")}>Captions (WebVTT)</a>
					<a href={address(`${path}/transcript/dfxp`)} download={fileName(item, "dfxp")}>Captions (DFXP)</a>
				</>
			)}
			<Sounds call={call} />
			{call.player.audible && <button type="button" onClick={openClip}>Clip…</button>}
		</Menu>
	);
}

/** The streams as they are stored. */
function Sounds({ call }: { call: Call }) {
	const path = `v3/media/${part(call.id)}/streams`;
	const answer = useAnswer(path, (signal) => ask<Streams>("GET", path, { signal, silent: true }));
	return (
		<>
			{answer.failure !== undefined && <span class="problem menu-note">{answer.failure.message}</span>}
			{answer.value?.streams.map((s) => (
				<a href={address(`${path}/${s.streamName}`)} download={fileName(call.item, s.streamName.includes("encrypted") ? "gpg" : endings[call.item.mediaContentType ?? ""] ?? "audio")}>
					Recording ({s.streamName})
				</a>
			))}
		</>
	);
}

const endings: Record<string, string> = {
	"audio/x-wav": "wav", "audio/wav": "wav", "audio/mpeg": "mp3", "audio/flac": "flac", "audio/ogg": "ogg", "audio/mp4": "m4a",
};

/** Chooses the times of a clip, for those who select nothing with a mouse. */
function Clip({ call, close }: { call: Call; close: () => void }) {
	const chosen = call.selection.peek();
	const now = call.player.now();
	const [s, setS] = useState(((chosen?.s ?? now) / 1000).toFixed(1));
	const [e, setE] = useState((Math.min(call.length, chosen?.e ?? now + 10_000) / 1000).toFixed(1));
	const r = { s: Number(s) * 1000, e: Number(e) * 1000 };
	const wrong = !(r.e > r.s) ? "The end is not after the beginning." : r.e - r.s > longest ? `A clip has at most ${longest / 1000} s.` : r.e > call.length + 100 ? `The call ends at ${(call.length / 1000).toFixed(1)} s.` : undefined;
	const seconds = (label: string, value: string, set: (v: string) => void, problem?: string) => (
		<Field label={label} problem={problem}>
			{(a) => <input {...a} type="number" min="0" step="0.1" value={value} onInput={(x) => set(x.currentTarget.value)} />}
		</Field>
	);
	return (
		<Dialog title="Clip" close={close}>
			<div class="actions">
				{seconds("From, in seconds", s, setS)}
				{seconds("To, in seconds", e, setE, wrong)}
			</div>
			<div class="actions end">
				{call.player.audible && wrong === undefined && <button type="button" onClick={() => call.player.playFrom(r.s, r.e)}>Play</button>}
				{wrong === undefined && (
					<a class="button primary" href={clip(call, r)} download={fileName(call.item, `${Math.round(r.s / 1000)}.wav`)} onClick={close}>
						Download
					</a>
				)}
			</div>
		</Dialog>
	);
}

const week = 7 * 24 * 3600 * 1000;

/** What is to be known of the item as a whole: that it ends soon, and what the server warned of. */
export function Notices({ call }: { call: Call }) {
	const { item } = call;
	const soon = item.expiresOn !== undefined && new Date(item.expiresOn).getTime() - Date.now() < week;
	return (
		<>
			{item.expiresOn !== undefined && (
				<p class={soon ? "notice warn" : "quiet small"}>
					{soon && <Icon name="clock" size={16} />} Kept until {soon ? when(item.expiresOn) : date(item.expiresOn)}, then deleted.
				</p>
			)}
			{(item.warnings ?? []).length > 0 && (
				<details class="notice warn">
					<summary>{item.warnings?.length === 1 ? "1 warning" : `${item.warnings?.length} warnings`} of the last processing</summary>
					<ul>{item.warnings?.map((w) => <li><bdi>{w.message}</bdi> <span class="quiet small">code {w.code}</span></li>)}</ul>
				</details>
			)}
		</>
	);
}
