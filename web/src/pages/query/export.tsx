// Exports of the calls that a condition finds: tables as CSV or Parquet.

import { Dialog, Failed, Field, raw, saveAs, say, useChange, useState } from "kit";
import type { Check } from "../../kit/wire";

const tables = { calls: "Calls: a row each", words: "Words: a row each", metrics: "Metrics of calls", categories: "Categories of calls" };

export function Export({ check }: { check: Check | null }) {
	const [open, setOpen] = useState(false);
	const [table, setTable] = useState<keyof typeof tables>("calls");
	const [format, setFormat] = useState<"csv" | "parquet">("csv");
	const condition = check?.outline?.text;
	const run = useChange(async () => {
		const response = await raw("POST", "v3/analytics/export", { body: { table, format, query: condition } });
		const left = response.headers.get("Parley-Not-Indexed");
		saveAs(`${table}.${format}`, await response.blob());
		setOpen(false);
		say(left === null ? "The export is complete." : `The export is complete. ${left} calls are not in it: they have no statistics.`);
	});
	return (
		<>
			<button type="button" disabled={check?.valid !== true} onClick={() => setOpen(true)}>
				Export…
			</button>
			{open && (
				<Dialog title="Export the calls" close={() => setOpen(false)}>
					<p class="quiet">{condition === undefined ? "All calls." : <>The calls that meet <code>{condition}</code></>}</p>
					<Field label="Table">
						{(a) => (
							<select {...a} value={table} onChange={(e) => setTable(e.currentTarget.value as keyof typeof tables)}>
								{Object.entries(tables).map(([key, label]) => (
									<option value={key}>{label}</option>
								))}
							</select>
						)}
					</Field>
					<Field label="Format">
						{(a) => (
							<select {...a} value={format} onChange={(e) => setFormat(e.currentTarget.value as "csv" | "parquet")}>
								<option value="csv">CSV</option>
								<option value="parquet">Parquet</option>
							</select>
						)}
					</Field>
					{run.failure !== undefined && <Failed failure={run.failure} what="The export failed" />}
					<div class="actions end">
						<button type="button" class="primary" disabled={run.busy} onClick={() => run.run()}>
							{run.busy ? "Is being made…" : "Download"}
						</button>
					</div>
				</Dialog>
			)}
		</>
	);
}
