// Saved views: the present state of the list under a name, kept by the server for all who have the account.

import { adjust, ask, Dialog, Failed, Field, Icon, Menu, part, say, useAnswer, useChange, useState } from "kit";
import { restricted, type State } from "./state";

/** A saved query that is a view of the list. */
interface View {
	queryName: string;
	query?: string;
	where?: string;
	words?: string;
	view?: { page?: string; conditions?: string[]; from?: string; until?: string; facets?: string[] };
}

export function Views({ state }: { state: State }) {
	const answer = useAnswer("views", (signal) => ask<{ queries: View[] }>("GET", "v3/analytics/queries", { signal, silent: true }));
	const [naming, setNaming] = useState(false);
	const views = (answer.value?.queries ?? []).filter((q) => q.query === undefined && q.view !== undefined);
	const remove = async (v: View) => {
		try {
			await ask("DELETE", `v3/analytics/queries/${part(v.queryName)}`);
			say(`The view ${v.queryName} is deleted.`, { act: { label: "Undo", run: () => void put(v).then(answer.again) } });
		} catch (err) {
			say(err instanceof Error ? err.message : String(err), { bad: true });
		}
		answer.again();
	};
	return (
		<>
			<Menu label="Views" icon="star" end>
				{answer.failure !== undefined && <span class="menu-note problem">{answer.failure.message}</span>}
				{views.length === 0 && answer.failure === undefined && <span class="menu-note quiet">{answer.loading ? "Loading…" : "There are no saved views."}</span>}
				{views.map((v) => (
					<div class="calls-view" key={v.queryName}>
						<button type="button" onClick={() => show(v)}>
							<bdi>{v.queryName}</bdi>
						</button>
						<button type="button" class="icon-button" aria-label={`Delete the view ${v.queryName}`} title="Delete" onClick={() => void remove(v)}>
							<Icon name="trash" size={16} />
						</button>
					</div>
				))}
				<button type="button" disabled={!restricted(state)} onClick={() => setNaming(true)}>
					<Icon name="plus" size={16} /> Save this view
				</button>
			</Menu>
			{naming && <Save state={state} names={views.map((v) => v.queryName)} close={() => setNaming(false)} saved={answer.again} />}
		</>
	);
}

function Save({ state, names, close, saved }: { state: State; names: string[]; close: () => void; saved: () => void }) {
	const [name, setName] = useState("");
	const save = useChange(async () => {
		await put({
			queryName: name.trim(),
			words: state.words || undefined,
			where: state.where || undefined,
			view: { page: "calls", conditions: state.chips, from: state.from || undefined, until: state.until || undefined, facets: state.open },
		});
		say(`The view ${name.trim()} is saved.`);
		saved();
		close();
	});
	const replaces = names.includes(name.trim());
	return (
		<Dialog title="Save this view" close={close}>
			<form
				onSubmit={(e) => {
					e.preventDefault();
					void save.run();
				}}
			>
				<Field label="Name" hint={replaces ? "The view with this name is replaced." : "All who use the account see it."}>
					{(a) => <input {...a} value={name} required maxLength={64} autofocus onInput={(e) => setName(e.currentTarget.value)} />}
				</Field>
				{save.failure !== undefined && <Failed failure={save.failure} />}
				<div class="actions end">
					<button type="button" onClick={close}>
						Cancel
					</button>
					<button class="primary" disabled={save.busy || name.trim() === ""}>
						{replaces ? "Replace" : "Save"}
					</button>
				</div>
			</form>
		</Dialog>
	);
}

const put = ({ queryName, words, where, view }: View): Promise<unknown> =>
	ask("PUT", `v3/analytics/queries/${part(queryName)}`, { body: { words, where, view } });

function show({ words, where, view = {} }: View): void {
	adjust({ words, where, f: view.conditions, from: view.from, until: view.until, open: view.facets });
}
