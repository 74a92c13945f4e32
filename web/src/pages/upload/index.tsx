// Upload: recordings from files, with their metadata and a configuration.

import { ask, bytes, counted, Empty, Field, Heading, Icon, IconButton, link, may, part, say, send, Show, staged, stage, unstage, upload, useAnswer, useChange, useEffect, useMemo, useRef, useState, session, Failed } from "kit";
import type { Preset, Presets } from "../../kit/wire";
import { type Json, parse, usual } from "./config";
import { base, read, type Table } from "./csv";
import { Form } from "./form";

const tables = /\.(csv|tsv)$/i;

export default function UploadPage() {
	const [configuration, setConfiguration] = useState(remembered);
	const [problems, setProblems] = useState<string[]>([]);
	const recordings = staged.value.filter((f) => !tables.test(f.name));
	const sheet = staged.value.findLast((f) => tables.test(f.name));
	const table = useTable(sheet);
	const change = (text: string) => {
		remembered = text;
		setProblems([]);
		setConfiguration(text);
	};
	const most = session.value?.server.maxUploadBytes ?? Number.POSITIVE_INFINITY;
	const large = recordings.filter((f) => f.size > most);
	const wrong = "mistake" in parse(configuration) || (table?.mistakes.length ?? 0) > 0 || large.length > 0;
	const start = () => {
		upload(recordings.map((file) => ({ file, configuration, metadata: JSON.stringify(metadataOf(file, table)) })));
		unstage(staged.value);
		say(`${counted(recordings.length, "recording")} on the way. The list of calls shows them.`);
	};
	return (
		<>
			<Heading title="Upload">
				<a class="button" href={link("calls")}>
					To the calls
				</a>
				<button type="button" class="primary" disabled={wrong || recordings.length === 0} onClick={start}>
					{recordings.length === 0 ? "Send" : `Send ${counted(recordings.length, "recording")}`}
				</button>
			</Heading>
			<div class="upload">
				<section class="section" aria-label="Recordings">
					<Choose />
					{large.map((f) => (
						<p class="problem">
							<bdi>{f.name}</bdi> has {bytes(f.size)}; the server takes {bytes(most)} at most.
						</p>
					))}
					<Sheet sheet={sheet} table={table} recordings={recordings} />
					<Recordings list={recordings} table={table} />
				</section>
				<section class="section" aria-label="Configuration">
					<PresetBar configuration={configuration} change={change} fail={setProblems} />
					<Form value={configuration} change={change} file={recordings[0]} problems={problems} />
				</section>
			</div>
		</>
	);
}

/** The configuration as it was left; drafts stay in the tab. */
let remembered = usual;

/** What a CSV file says, read when it is chosen. */
function useTable(sheet: File | undefined): Table | undefined {
	const [table, setTable] = useState<Table>();
	useEffect(() => {
		setTable(undefined);
		let stopped = false;
		sheet?.text().then((text) => stopped || setTable(read(text)));
		return () => {
			stopped = true;
		};
	}, [sheet]);
	return table;
}

/** The metadata of a recording: its row, with the name of the file as title where the row has none. */
function metadataOf(file: File, table: Table | undefined): Json {
	return { title: file.name, ...rowOf(file, table) };
}

function rowOf(file: File, table: Table | undefined): Json | undefined {
	const path = file.webkitRelativePath === "" ? file.name : file.webkitRelativePath;
	if (table === undefined) return undefined;
	for (const [name, row] of table.rows) {
		if (name === path || base(name) === file.name) return row;
	}
	return undefined;
}

function Choose() {
	const input = useRef<HTMLInputElement>(null);
	return (
		<div class="dropzone">
			<Icon name="upload" size={28} />
			<p>
				<strong>Drop recordings or folders</strong>, with a CSV file of their metadata if you have one
			</p>
			<button type="button" onClick={() => input.current?.click()}>
				Choose files
			</button>
			<input
				ref={input}
				class="visually-hidden"
				type="file"
				multiple
				aria-label="Recordings and CSV files"
				tabIndex={-1}
				onChange={(e) => {
					stage(e.currentTarget.files ?? []);
					e.currentTarget.value = "";
				}}
			/>
		</div>
	);
}

function Sheet({ sheet, table, recordings }: { sheet: File | undefined; table: Table | undefined; recordings: readonly File[] }) {
	if (sheet === undefined) return null;
	const matched = recordings.filter((f) => rowOf(f, table) !== undefined).length;
	const unused = [...(table?.rows.keys() ?? [])].filter((name) => !recordings.some((f) => f.name === base(name)));
	return (
		<div class="notice">
			<Icon name="file" />
			<div class="grow">
				<p>
					<bdi>{sheet.name}</bdi>:{" "}
					{table === undefined ? "is being read…" : `metadata for ${matched} of ${counted(recordings.length, "recording")}`}
				</p>
				{table?.mistakes.slice(0, 10).map((m) => <p class="problem">{m}</p>)}
				{unused.length > 0 && (
					<p class="hint">
						No recording has the name of {counted(unused.length, "row")}: {unused.slice(0, 5).map((n) => <bdi>{n} </bdi>)}
						{unused.length > 5 && "…"}
					</p>
				)}
			</div>
			<IconButton icon="close" label={`Take ${sheet.name} out`} onClick={() => unstage([sheet])} />
		</div>
	);
}

function Recordings({ list, table }: { list: readonly File[]; table: Table | undefined }) {
	if (list.length === 0) {
		return (
			<Empty title="No recordings yet">
				<p>Any format that ffmpeg reads: wav, mp3, m4a, flac, ogg, amr, gsm, and the sound of videos.</p>
			</Empty>
		);
	}
	const shown = list.slice(0, 500);
	return (
		<table>
			<thead>
				<tr>
					<th>File</th>
					<th class="number">Size</th>
					<th>Metadata</th>
					<th>
						<span class="visually-hidden">Take out</span>
					</th>
				</tr>
			</thead>
			<tbody>
				{shown.map((f) => (
					<tr key={f.name + f.size}>
						<td>
							<bdi>{f.name}</bdi>
						</td>
						<td class="number">{bytes(f.size)}</td>
						<td class="quiet">
							<bdi>{about(rowOf(f, table))}</bdi>
						</td>
						<td class="number">
							<IconButton icon="close" label={`Take ${f.name} out`} onClick={() => unstage([f])} />
						</td>
					</tr>
				))}
				{list.length > shown.length && (
					<tr>
						<td colSpan={4}>and {counted(list.length - shown.length, "more recording")}</td>
					</tr>
				)}
			</tbody>
		</table>
	);
}

/** The values of a row, in short. */
function about(row: Json | undefined): string {
	if (row === undefined) return "";
	const values = (v: unknown): string[] => (typeof v === "object" && v !== null ? Object.values(v).flatMap(values) : [String(v)]);
	return values(row).join(", ");
}

/** Presets: choose, save the present configuration, delete. */
function PresetBar({ configuration, change, fail }: { configuration: string; change: (text: string) => void; fail: (problems: string[]) => void }) {
	const presets = useAnswer(may("definitions") ? "presets" : null, (signal) => ask<Presets>("GET", "v3/definition/presets", { signal }));
	const [name, setName] = useState("");
	const list = useMemo(() => presets.value?.presets ?? [], [presets.value]);
	const present = list.find((p) => p.presetName === name);
	const save = useChange(async () => {
		const parsed = parse(configuration);
		if ("mistake" in parsed) return;
		await send<Preset>("PUT", `v3/definition/presets/${part(name.trim())}`, { body: { configuration: parsed.value } });
		presets.again();
		say(`The preset “${name.trim()}” is saved.`);
	});
	const remove = useChange(async () => {
		await ask("DELETE", `v3/definition/presets/${part(name)}`);
		setName("");
		presets.again();
	});
	useEffect(() => {
		if (save.failure !== undefined) fail(save.failure.problems.map((p) => p.error));
	}, [save.failure]);
	if (!may("definitions")) return null;
	return (
		<Show answer={presets} what="the presets">
			{() => (
				<div class="preset-bar">
					<Field label="Preset">
						{(a) => (
							<input
								{...a}
								list="presets"
								autocomplete="off"
								placeholder="Choose one, or name a new one"
								value={name}
								onInput={(e) => {
									setName(e.currentTarget.value);
									const chosen = list.find((p) => p.presetName === e.currentTarget.value);
									if (chosen !== undefined) change(JSON.stringify(chosen.configuration, null, 2));
								}}
							/>
						)}
					</Field>
					<datalist id="presets">
						{list.map((p) => (
							<option value={p.presetName} />
						))}
					</datalist>
					<button type="button" disabled={name.trim() === "" || save.busy} onClick={() => save.run()}>
						{present === undefined ? "Save as preset" : "Save"}
					</button>
					<button type="button" disabled={present === undefined || remove.busy} onClick={() => remove.run()}>
						Delete
					</button>
					{remove.failure !== undefined && <Failed failure={remove.failure} />}
				</div>
			)}
		</Show>
	);
}
