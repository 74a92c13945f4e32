// The metadata of the call: a form for what is usual, JSON for all of it. Nobody's change is lost.

import { asFailure, Failed, type Failure, Field, may, part, raw, say, Show, useAnswer, useState } from "kit";
import { type Call } from "./call";
import { type Difference, differences, get, parse, print, put, type Tree } from "./exact";

interface Version {
	tree: Tree;
	etag: string;
}

async function read(id: string, signal?: AbortSignal): Promise<Version> {
	const response = await raw("GET", `v3/media/${part(id)}/metadata`, { signal });
	const tree = parse(await response.text()) as Tree;
	delete tree["_links"];
	return { tree, etag: response.headers.get("ETag") ?? "" };
}

export function MetadataTab({ call, changed }: { call: Call; changed: (metadata: Tree) => void }) {
	const answer = useAnswer(`metadata ${call.id}`, (signal) => read(call.id, signal));
	return (
		<Show answer={answer} what="the metadata" lines={5}>
			{(version) => (
				<Editor
					key={version.etag}
					call={call}
					version={version}
					saved={(next) => (answer.set(next), changed(next.tree))}
				/>
			)}
		</Show>
	);
}

const fields: { label: string; path: string[]; hint?: string; of?: string[] }[] = [
	{ label: "Title", path: ["title"] },
	{ label: "External id", path: ["externalId"] },
	{ label: "Description", path: ["description"] },
	{ label: "Start of the call", path: ["callDetails", "callStartTime"], hint: "ISO 8601, such as 2026-11-20T07:15:02Z" },
	{ label: "Direction", path: ["callDetails", "callDirection"], of: ["", "Inbound", "Outbound"] },
	{ label: "Agent", path: ["callDetails", "agent", "fullName"] },
	{ label: "Agent’s id", path: ["callDetails", "agent", "externalId"] },
	{ label: "Caller", path: ["callDetails", "caller", "fullName"] },
	{ label: "Caller’s phone", path: ["callDetails", "caller", "phone"] },
	{ label: "Calling number (ANI)", path: ["callDetails", "ani"] },
	{ label: "Called number (DNIS)", path: ["callDetails", "dnis"] },
];

function Editor({ call, version, saved }: { call: Call; version: Version; saved: (v: Version) => void }) {
	const [base, setBase] = useState(version);
	const [tree, setTree] = useState(version.tree);
	const [text, setText] = useState<string | null>(null); // of the JSON, while it is edited
	const [busy, setBusy] = useState(false);
	const [failure, setFailure] = useState<Failure>();
	const [theirs, setTheirs] = useState<Version>();
	const write = may("media:write");
	let mine: Tree | null = tree;
	let wrong: string | undefined;
	if (text !== null) {
		try {
			mine = parse(text) as Tree;
		} catch (err) {
			[mine, wrong] = [null, (err as Error).message];
		}
	}
	const save = async (next: Tree, etag: string) => {
		setBusy(true);
		setFailure(undefined);
		try {
			const response = await raw("PUT", `v3/media/${part(call.id)}/metadata`, { body: print(next), headers: { "If-Match": etag } });
			setTheirs(undefined);
			say("The metadata is saved.");
			saved({ tree: next, etag: response.headers.get("ETag") ?? "" });
		} catch (err) {
			const failed = asFailure(err);
			if (failed.status === 412) setTheirs(await read(call.id).catch(() => undefined));
			setFailure(failed);
		}
		setBusy(false);
	};
	const take = (v: Version) => (setBase(v), setTree(v.tree), setText(null), setTheirs(undefined), setFailure(undefined));
	const changes = mine === null ? [] : differences(base.tree, mine);
	const problem = (path: string[]) => failure?.problems.find((p) => p.error.includes(path.at(-1) ?? ""))?.error;
	return (
		<form class="metadata" onSubmit={(e) => (e.preventDefault(), mine !== null && save(mine, base.etag))}>
			{!write && <p class="quiet small">Your key lacks the scope media:write, which is needed to change metadata.</p>}
			<div class="toggle-group" role="group" aria-label="How to edit">
				<button type="button" aria-pressed={text === null} disabled={mine === null} onClick={() => (mine !== null && setTree(mine), setText(null))}>Form</button>
				<button type="button" aria-pressed={text !== null} onClick={() => setText(print(tree))}>JSON</button>
			</div>
			{text === null ? (
				<div class="metadata-fields">
					{fields.map((f) => {
						const value = get(tree, f.path);
						const set = (v: string) => setTree(put(tree, f.path, v === "" ? undefined : v));
						return (
							<Field label={f.label} hint={f.hint} problem={failure?.status === 400 ? problem(f.path) : undefined}>
								{(a) => f.of !== undefined
									? <select {...a} disabled={!write} value={String(value ?? "")} onChange={(e) => set(e.currentTarget.value)}>{f.of.map((o) => <option>{o}</option>)}</select>
									: <input {...a} dir="auto" readOnly={!write} value={typeof value === "string" ? value : value == null ? "" : print(value)} onInput={(e) => set(e.currentTarget.value)} />}
							</Field>
						);
					})}
				</div>
			) : (
				<Field label="All metadata, as JSON" problem={wrong}>
					{(a) => <textarea {...a} class="code" rows={18} spellcheck={false} readOnly={!write} value={text} onInput={(e) => setText(e.currentTarget.value)} />}
				</Field>
			)}
			{get(tree, ["extended"]) !== undefined && text === null && (
				<details>
					<summary>Extended</summary>
					<pre class="code"><bdi>{print(get(tree, ["extended"]))}</bdi></pre>
				</details>
			)}
			{failure !== undefined && failure.status !== 412 && <Failed failure={failure} what="Not saved" />}
			{theirs !== undefined && mine !== null && (
				<Conflict base={base} mine={changes} theirs={theirs} busy={busy} take={() => take(theirs)}
					merge={() => save(changes.reduce((all, d) => put(all, d.path, d.after), theirs.tree), theirs.etag)} />
			)}
			{write && theirs === undefined && (
				<div class="actions">
					<button type="submit" class="primary" disabled={busy || changes.length === 0}>Save</button>
					{changes.length > 0 && <button type="button" onClick={() => take(base)}>Undo</button>}
				</div>
			)}
		</form>
	);
}

/** What both have changed since the version that was opened. */
function Conflict({ base, mine, theirs, busy, take, merge }: {
	base: Version;
	mine: Difference[];
	theirs: Version;
	busy: boolean;
	take: () => void;
	merge: () => void;
}) {
	const others = differences(base.tree, theirs.tree);
	const rows = new Map<string, { path: string; before: unknown; mine?: Difference; theirs?: Difference }>();
	for (const [who, list] of [["mine", mine], ["theirs", others]] as const) {
		for (const d of list) {
			const path = d.path.join(".") || "all of it";
			rows.set(path, { path, before: d.before, ...rows.get(path), [who]: d });
		}
	}
	const shown = (d: Difference | undefined, before: unknown) =>
		d === undefined ? <span class="quiet">{before === undefined ? "nothing" : short(before)}</span> : <strong><bdi>{d.after === undefined ? "removed" : short(d.after)}</bdi></strong>;
	return (
		<div class="notice warn conflict" role="alert">
			<div>
				<p><strong>Somebody else has changed the metadata meanwhile.</strong> Nothing is saved yet.</p>
				<table>
					<thead><tr><th>Field</th><th>Yours</th><th>Theirs</th></tr></thead>
					<tbody>
						{[...rows.values()].map((r) => (
							<tr>
								<td><bdi>{r.path}</bdi></td>
								<td>{shown(r.mine, r.before)}</td>
								<td>{shown(r.theirs, r.before)}</td>
							</tr>
						))}
					</tbody>
				</table>
				<div class="actions">
					<button type="button" class="primary" disabled={busy} onClick={merge}>Put my changes on theirs</button>
					<button type="button" disabled={busy} onClick={take}>Take theirs</button>
				</div>
			</div>
		</div>
	);
}

const short = (v: unknown): string => {
	const text = typeof v === "string" ? v : JSON.stringify(v);
	return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};
