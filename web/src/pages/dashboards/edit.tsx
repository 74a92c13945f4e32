// A dashboard's title and tiles, in a dialog. What is built in is copied under another name.

import { ask, Dialog, Failed, Field, go, IconButton, link, part, say, send, useChange, useState } from "kit";
import type { Dashboard, DashboardContent } from "../../kit/wire";

type Draft = Dashboard["tiles"][number];

const fresh: Draft = { title: "Calls", statement: "SELECT date_trunc('day', dateCreated) AS day, count(*) AS calls FROM media GROUP BY day ORDER BY day", chart: "lines", width: 6 };

export function EditTiles({ board, close, changed }: { board: Dashboard | undefined; close: () => void; changed: () => void }) {
	const copy = board === undefined || board.builtin === true;
	const [name, setName] = useState(copy ? "" : board.dashboardName);
	const [title, setTitle] = useState(board?.title ?? "");
	const [tiles, setTiles] = useState<Draft[]>([...(board?.tiles ?? [fresh])]);
	const save = useChange(async () => {
		const body: DashboardContent = { title: title.trim() || undefined, dashboardDescription: board?.dashboardDescription, tiles };
		await send("PUT", `v3/definition/dashboards/${part(name.trim())}`, { body });
		say("The dashboard is saved.");
		changed();
		close();
		go(link(["dashboards", name.trim()]));
	});
	const remove = useChange(async () => {
		await ask("DELETE", `v3/definition/dashboards/${part(name)}`);
		changed();
		close();
		go(link("dashboards"));
	});
	const set = (i: number, t: Partial<Draft>) => setTiles(tiles.map((old, j) => (i === j ? { ...old, ...t } : old)));
	const move = (i: number, by: number) => {
		const list = [...tiles];
		const [taken] = list.splice(i, 1);
		if (taken !== undefined) list.splice(i + by, 0, taken);
		setTiles(list);
	};
	return (
		<Dialog title={copy ? "New dashboard" : "Edit the dashboard"} close={close} wide>
			<form
				onSubmit={(e) => {
					e.preventDefault();
					save.run();
				}}
			>
				{copy && (
					<Field label="Name" hint="For its address, without spaces">
						{(a) => <input {...a} required value={name} onInput={(e) => setName(e.currentTarget.value)} />}
					</Field>
				)}
				<Field label="Title">{(a) => <input {...a} value={title} onInput={(e) => setTitle(e.currentTarget.value)} />}</Field>
				{tiles.map((t, i) => (
					<fieldset class="tile-edit">
						<legend>Tile {i + 1}</legend>
						<Field label="Title">{(a) => <input {...a} value={t.title ?? ""} onInput={(e) => set(i, { title: e.currentTarget.value || undefined })} />}</Field>
						<Field label="Statement">{(a) => <textarea {...a} class="code" rows={3} required spellcheck={false} value={t.statement} onInput={(e) => set(i, { statement: e.currentTarget.value })} />}</Field>
						<div class="actions">
							<label>
								Shown as{" "}
								<select value={t.chart} onChange={(e) => set(i, { chart: e.currentTarget.value as Draft["chart"] })}>
									{(["bars", "lines", "number", "table"] as const).map((c) => (
										<option value={c}>{c}</option>
									))}
								</select>
							</label>
							<label>
								Width{" "}
								<select value={t.width} onChange={(e) => set(i, { width: Number(e.currentTarget.value) })}>
									{[3, 4, 6, 8, 12].map((w) => (
										<option value={w}>{w} of 12</option>
									))}
								</select>
							</label>
							<IconButton icon="up" label={`Tile ${i + 1} earlier`} disabled={i === 0} onClick={() => move(i, -1)} />
							<IconButton icon="down" label={`Tile ${i + 1} later`} disabled={i === tiles.length - 1} onClick={() => move(i, 1)} />
							<IconButton icon="trash" label={`Take tile ${i + 1} away`} onClick={() => setTiles(tiles.filter((_, j) => j !== i))} />
						</div>
					</fieldset>
				))}
				<button type="button" disabled={tiles.length >= 24} onClick={() => setTiles([...tiles, fresh])}>
					Add a tile
				</button>
				{save.failure !== undefined && <Failed failure={save.failure} what="Not saved" />}
				{remove.failure !== undefined && <Failed failure={remove.failure} what="Not deleted" />}
				<div class="actions end">
					{!copy && (
						<button type="button" class="danger" disabled={remove.busy} onClick={() => remove.run()}>
							Delete the dashboard
						</button>
					)}
					<button class="primary" disabled={save.busy}>
						Save
					</button>
				</div>
			</form>
		</Dialog>
	);
}
