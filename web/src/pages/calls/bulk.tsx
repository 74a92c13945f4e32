// What can be done with the calls that are selected, or with all that match.

import { asFailure, ask, Confirm, count, counted, csv, doMany, Icon, may, Menu, part, saveAs, say, useState } from "kit";
import type { ExplorationRequest, ExploredRow } from "../../kit/wire";
import { everyRow } from "./list";
import { titleOf } from "./row";

/** Which calls are selected: some, or all that match. */
export interface Selection {
	all: boolean;
	ids: ReadonlySet<string>;
}

export const nothing: Selection = { all: false, ids: new Set() };

export function Bulk({ selection, set, rows, total, least, asked, changed }: {
	selection: Selection;
	set: (s: Selection) => void;
	rows: ExploredRow[];
	total: number | undefined;
	least: boolean;
	asked: ExplorationRequest;
	/** Called with the calls that were deleted or are processed again. */
	changed: (deleted: ReadonlySet<string>) => void;
}) {
	const [confirm, setConfirm] = useState<"delete" | "again" | null>(null);
	const n = selection.all ? (total ?? rows.length) : selection.ids.size;
	const exact = counted(n, "call");
	const what = selection.all && least ? `at least ${exact}` : exact;
	const all = rows.length > 0 && rows.every((r) => selection.all || selection.ids.has(r.mediaId));
	const some = n > 0;
	const collect = (signal: AbortSignal) =>
		selection.all ? everyRow(asked, signal) : Promise.resolve(rows.filter((r) => selection.ids.has(r.mediaId)));
	const act = async (kind: "delete" | "again") => {
		setConfirm(null);
		const gone = new Set<string>();
		await doMany({
			title: kind === "delete" ? `Deleting ${what}` : `Processing ${what} again`,
			collect,
			name: titleOf,
			each: async (r, signal) => {
				await ask(kind === "delete" ? "DELETE" : "POST", `v3/media/${part(r.mediaId)}`, { signal, silent: true });
				if (kind === "delete") gone.add(r.mediaId);
			},
		});
		set(nothing);
		changed(gone);
	};
	return (
		<div class="calls-bulk">
			<label class="calls-all">
				<input
					type="checkbox"
					checked={all}
					indeterminate={some && !all}
					disabled={rows.length === 0}
					onChange={(e) => set(e.currentTarget.checked ? { all: false, ids: new Set(rows.map((r) => r.mediaId)) } : nothing)}
				/>
				<span class="visually-hidden">Select all that are loaded</span>
			</label>
			{some && (
				<>
					<strong role="status">{what} selected</strong>
					{!selection.all && total !== undefined && total > n && all && (
						<button type="button" class="text" onClick={() => set({ all: true, ids: new Set() })}>
							Select all {count(total)} that match
						</button>
					)}
					<button type="button" class="text" onClick={() => set(nothing)}>
						Select none
					</button>
				</>
			)}
			<span class="calls-bulk-acts">
				{some && may("media:write") && (
					<>
						<button type="button" onClick={() => setConfirm("again")}>
							<Icon name="again" size={16} /> Process again
						</button>
						<button type="button" class="danger" onClick={() => setConfirm("delete")}>
							<Icon name="trash" size={16} /> Delete
						</button>
					</>
				)}
				{rows.length > 0 && (
					<Menu label={some ? "Export selected" : "Export"} icon="download" end>
						{(["csv", "json"] as const).map((format) => (
							<button type="button" onClick={() => save(format, some ? collect : (signal) => everyRow(asked, signal))}>
								{format === "csv" ? "CSV, for spreadsheets" : "JSON, as the API answers"}
							</button>
						))}
					</Menu>
				)}
			</span>
			{confirm !== null && (
				<Confirm
					title={confirm === "delete" ? `Delete ${what}?` : `Process ${what} again?`}
					word={confirm === "delete" ? `Delete ${what}` : "Process again"}
					close={() => setConfirm(null)}
					run={() => void act(confirm)}
				>
					<p>
						{confirm === "delete"
							? "Recordings, transcripts and results are deleted. This cannot be undone."
							: "Everything after the recognition is done again, with the present definitions. The results of now stay until then."}
					</p>
				</Confirm>
			)}
		</div>
	);
}

/** Saves rows as a file. */
async function save(format: "csv" | "json", collect: (signal: AbortSignal) => Promise<ExploredRow[]>): Promise<void> {
	try {
		say("Collecting the calls…");
		const rows = await collect(new AbortController().signal);
		const contents = format === "json" ? new Blob([`${JSON.stringify(rows, null, "\t")}\n`], { type: "application/json" }) : csv(table(rows));
		saveAs(`calls.${format}`, contents);
		say(`${counted(rows.length, "call")} saved as calls.${format}.`);
	} catch (err) {
		say(`The export failed: ${asFailure(err).message}`, { bad: true });
	}
}

const metrics = ["call-sentiment", "agent-talk-ratio", "caller-talk-ratio", "silence-ratio", "overtalk-ratio"];

function table(rows: ExploredRow[]): unknown[][] {
	const head = ["mediaId", "dateCreated", "title", "externalId", "language", "length", ...metrics, "categories", "speakers", "hitCount", "hitStart", "hitSpeaker", "hit"];
	const lines = rows.map((r) => {
		const v = r.hit?.fieldValues;
		return [r.mediaId, r.dateCreated, r.title, r.externalId, r.language, r.length, ...metrics.map((m) => r.metrics?.[m]), r.categories?.join("; "), r.speakers?.join("; "), r.hitCount, v?.startMs, v?.speaker, v?.text];
	});
	return [head, ...lines];
}
