// One category: its condition with the back-test beside it, what is known of it, save, apply to the past, trend.

import { ask, Confirm, Failed, Failure, Field, go, Heading, link, Load, part, type Route, say, send, Show, useAnswer, useChange, useEffect, useRef, useState } from "kit";
import type { Category, Check } from "../../kit/wire";
import type { Handle } from "../../parts/editor";
import { Apply } from "./apply";
import { BackTest } from "./backtest";
import { content, type Draft, draftOf, drafts, empty, same } from "./draft";
import { Trend } from "./trend";

interface Saved {
	category: Category;
	etag: string;
}

export function CategoryPage({ name, route }: { name: string | null; route: Route }) {
	const answer = useAnswer(name, async (signal): Promise<Saved> => {
		const { value, etag } = await send<Category>("GET", `v3/definition/categories/${part(name ?? "")}`, { signal });
		return { category: value, etag };
	});
	if (name === null) return <Editing saved={null} route={route} again={() => undefined} />;
	return (
		<Show answer={answer} what="the category" lines={5}>
			{(saved) => <Editing key={saved.etag} saved={saved} route={route} again={answer.again} />}
		</Show>
	);
}

function Editing({ saved, route, again }: { saved: Saved | null; route: Route; again: () => void }) {
	const key = saved?.category.categoryName ?? "";
	const asSaved = saved === null ? empty(route.query.get("condition") ?? "") : draftOf(saved.category);
	const [draft, setDraft] = useState<Draft>(() => (saved === null && asSaved.query !== "" ? asSaved : (drafts.get(key) ?? asSaved)));
	const [check, setCheck] = useState<Check | null>(null);
	const editor = useRef<Handle | null>(null);
	useEffect(() => {
		if (same(draft, asSaved) && saved !== null) drafts.delete(key);
		else drafts.set(key, draft);
	}, [draft]);
	const set = (changes: Partial<Draft>) => setDraft((d) => ({ ...d, ...changes }));
	const changed = saved === null || !same(draft, asSaved);
	const save = useChange(async (force: boolean) => {
		const name = saved?.category.categoryName ?? draft.name.trim();
		const headers: Record<string, string> = saved === null ? { "If-None-Match": "*" } : force ? {} : { "If-Match": saved.etag };
		await send("PUT", `v3/definition/categories/${part(name)}`, { body: content(draft), headers });
		drafts.delete(key);
		say(`The category “${name}” is saved. Calls from now on are judged by it; apply it to the past below.`);
		if (saved === null) go(link(["categories", name]), { replace: true });
		else again();
	});
	return (
		<>
			<Heading title={saved === null ? "New category" : key} above={<a href={link("categories")}>Categories</a>}>
				{saved !== null && changed && (
					<button type="button" onClick={() => setDraft(asSaved)}>
						Discard changes
					</button>
				)}
				{saved !== null && <Delete name={key} />}
				<button type="button" class="primary" disabled={!changed || check?.valid !== true || save.busy || (saved === null && draft.name.trim() === "")} onClick={() => save.run(false)}>
					Save
				</button>
			</Heading>
			{save.failure !== undefined && <Unsaved failure={save.failure} force={() => save.run(true)} reload={again} existing={saved !== null} />}
			<div class="category">
				<div>
					{saved === null && (
						<Field label="Name" hint="Visible characters without spaces, such as at-risk. It cannot be changed later.">
							{(a) => <input {...a} value={draft.name} required onInput={(e) => set({ name: e.currentTarget.value })} />}
						</Field>
					)}
					<h2 class="category-condition">Condition</h2>
					<Load what="the editor" load={() => import("../../parts/editor")}>
						{({ Editor, Problems }) => (
							<>
								<Editor
									value={draft.query}
									change={(query) => set({ query })}
									run={() => undefined}
									checked={setCheck}
									label="Condition of the category"
									hint={'"Agent" SAYS "anything else"'}
									kind="category"
									ready={(h) => (editor.current = h)}
								/>
								<Problems problems={check?.problems ?? []} editor={editor} text={draft.query} />
							</>
						)}
					</Load>
					<About draft={draft} set={set} />
					{saved !== null && <Apply name={key} changed={changed} />}
					{saved !== null && <Trend name={key} />}
				</div>
				<BackTest name={saved === null ? null : key} query={check?.valid === true && draft.query.trim() !== "" ? draft.query : null} route={route} />
			</div>
		</>
	);
}

function About({ draft, set }: { draft: Draft; set: (changes: Partial<Draft>) => void }) {
	return (
		<details class="category-about" open={draft.description !== "" || draft.notes !== "" || draft.collection !== ""}>
			<summary>About the category</summary>
			<Field label="Description">{(a) => <input {...a} value={draft.description} onInput={(e) => set({ description: e.currentTarget.value })} />}</Field>
			<Field label="Collection" hint="Categories of a collection are shown together, such as Compliance.">
				{(a) => <input {...a} value={draft.collection} onInput={(e) => set({ collection: e.currentTarget.value })} />}
			</Field>
			<Field label="Tags" hint="Separated by commas">
				{(a) => <input {...a} value={draft.tags} onInput={(e) => set({ tags: e.currentTarget.value })} />}
			</Field>
			<Field label="Version">{(a) => <input {...a} value={draft.version} onInput={(e) => set({ version: e.currentTarget.value })} />}</Field>
			<Field label="Notes">{(a) => <textarea {...a} rows={3} value={draft.notes} onInput={(e) => set({ notes: e.currentTarget.value })} />}</Field>
		</details>
	);
}

/** Why it was not saved. Where somebody else has changed the category meanwhile: what to do about it. */
function Unsaved({ failure, force, reload, existing }: { failure: Failure; force: () => void; reload: () => void; existing: boolean }) {
	if (failure.status !== 412 || !existing) return <Failed failure={failure} what="Not saved" />;
	return (
		<div class="notice warn" role="alert">
			<div class="grow">
				<strong>Somebody has changed the category since you opened it.</strong>
				<p>Your draft is still here. Compare it with what is saved, or save yours over it.</p>
			</div>
			<button type="button" onClick={reload}>
				Show what is saved
			</button>
			<button type="button" class="danger" onClick={force}>
				Save mine
			</button>
		</div>
	);
}

function Delete({ name }: { name: string }) {
	const [asking, setAsking] = useState(false);
	const remove = useChange(async () => {
		await ask("DELETE", `v3/definition/categories/${part(name)}`);
		drafts.delete(name);
		say(`The category “${name}” is deleted.`);
		go(link("categories"));
	});
	return (
		<>
			<button type="button" onClick={() => setAsking(true)}>
				Delete…
			</button>
			{asking && (
				<Confirm title="Delete the category?" word="Delete" close={() => setAsking(false)} run={() => remove.run()} busy={remove.busy}>
					<p>Calls that were judged keep their results; later ones are not judged by it.</p>
					{remove.failure !== undefined && <Failed failure={remove.failure} />}
				</Confirm>
			)}
		</>
	);
}
