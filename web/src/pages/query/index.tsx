// Query: statements of the query language, tried out, saved under names, exported, and made categories.

import { adjust, ask, Confirm, Failed, Field, Heading, link, Load, go, may, Menu, part, type Route, say, send, Show, useAnswer, useChange, useEffect, useKeys, useRef, useState, Dialog } from "kit";
import type { Check, SavedQuery } from "../../kit/wire";
import type { Handle } from "../../parts/editor";
import { drafts, type Named } from "./drafts";
import { Drawer } from "./drawer";
import { Export } from "./export";
import { Results } from "./results";

const start = `SELECT mediaId, dateCreated, metadata:title, hits() FROM media
WHERE * SAYS "thank you"`;

export default function Query({ route }: { route: Route }) {
	const name = route.rest[0] ?? "";
	const ran = route.query.get("q") ?? "";
	const saved = useAnswer("queries", async (signal) => {
		const { queries } = await ask<{ queries: SavedQuery[] }>("GET", "v3/analytics/queries", { signal });
		return queries.filter((q): q is Named => q.query !== undefined);
	});
	const present = saved.value?.find((q) => q.queryName === name);
	const [text, setText] = useState(() => drafts.get(name) ?? (ran !== "" ? ran : undefined));
	const shown = text ?? present?.query ?? (name === "" ? start : "");
	const [check, setCheck] = useState<Check | null>(null);
	const editor = useRef<Handle | null>(null);
	const shownName = useRef(name);
	useEffect(() => {
		if (shownName.current === name) return;
		shownName.current = name;
		setText(drafts.get(name) ?? (ran !== "" ? ran : undefined));
	}, [name]);
	const change = (t: string) => {
		drafts.set(name, t);
		setText(t);
	};
	const run = () => {
		if (shown.trim() === "") return;
		adjust({ q: shown, offset: undefined, n: shown === ran ? Number(route.query.get("n") ?? 0) + 1 : undefined });
	};
	useKeys([{ key: "/", does: "Go to the editor", run: () => editor.current?.focus() }]);
	return (
		<>
			<Heading title="Query">
				<Save name={name} text={shown} present={present} done={saved.again} />
				<Export check={check} />
				{may("definitions") && (
					<a class="button" href={link("categories/new", { condition: check?.outline?.text ?? "" })} aria-disabled={check?.outline === undefined}>
						Make it a category
					</a>
				)}
				<button type="button" class="primary" onClick={run}>
					Run <kbd>Ctrl Enter</kbd>
				</button>
			</Heading>
			<Show answer={saved} what="your saved queries">
				{(list) => <Names list={list} name={name} />}
			</Show>
			<div class="query">
				<div class="query-main">
					<Load what="the editor" load={() => import("../../parts/editor")}>
						{({ Editor, Problems }) => (
							<>
								<Editor
									value={shown}
									change={change}
									run={run}
									checked={setCheck}
									label="Statement of the query language"
									kind="query"
									ready={(h) => (editor.current = h)}
								/>
								<Problems problems={check?.problems ?? []} editor={editor} text={shown} />
							</>
						)}
					</Load>
					{ran !== "" && <Results key={ran + (route.query.get("n") ?? "")} statement={ran} route={route} />}
				</div>
				<Drawer insert={(t) => editor.current?.insert(t)} />
			</div>
		</>
	);
}

/** The saved statements, as tabs. */
function Names({ list, name }: { list: readonly Named[]; name: string }) {
	return (
		<nav class="tabs" aria-label="Saved queries">
			<a href={link("query")} aria-current={name === "" ? "page" : undefined}>
				New
			</a>
			{list.map((q) => (
				<a href={link(["query", q.queryName])} aria-current={q.queryName === name ? "page" : undefined}>
					<bdi>{q.queryName}</bdi>
					{drafts.has(q.queryName) && drafts.get(q.queryName) !== q.query && <span title="Changed"> •</span>}
				</a>
			))}
		</nav>
	);
}

function Save({ name, text, present, done }: { name: string; text: string; present: Named | undefined; done: () => void }) {
	const [asking, setAsking] = useState<"name" | "delete" | null>(null);
	const [other, setOther] = useState("");
	const save = useChange(async (as: string) => {
		const body = { ...(as === name && present?.queryDescription !== undefined && { queryDescription: present.queryDescription }), ...(as === name && present?.view !== undefined && { view: present.view }), query: text };
		await send("PUT", `v3/analytics/queries/${part(as)}`, { body });
		drafts.delete(as);
		if (as !== name) drafts.delete(name);
		setAsking(null);
		say(`The query “${as}” is saved.`);
		done();
		if (as !== name) go(link(["query", as]));
	});
	const remove = useChange(async () => {
		await ask("DELETE", `v3/analytics/queries/${part(name)}`);
		drafts.delete(name);
		setAsking(null);
		done();
		go(link("query"));
	});
	return (
		<>
			<Menu label="Save">
				{present !== undefined && (
					<button type="button" onClick={() => save.run(name)}>
						Save “<bdi>{name}</bdi>”
					</button>
				)}
				<button type="button" onClick={() => setAsking("name")}>
					Save under a name…
				</button>
				{present !== undefined && (
					<button type="button" onClick={() => setAsking("delete")}>
						Delete “<bdi>{name}</bdi>”…
					</button>
				)}
			</Menu>
			{save.failure !== undefined && asking === null && <Failed failure={save.failure} what="Not saved" />}
			{asking === "name" && (
				<Dialog title="Save the query" close={() => setAsking(null)}>
					<form
						onSubmit={(e) => {
							e.preventDefault();
							save.run(other.trim());
						}}
					>
						<Field label="Name" problem={save.failure?.problems.map((p) => p.error).join("\n")}>
							{(a) => <input {...a} value={other} required onInput={(e) => setOther(e.currentTarget.value)} />}
						</Field>
						<div class="actions end">
							<button class="primary" disabled={save.busy || other.trim() === ""}>
								Save
							</button>
						</div>
					</form>
				</Dialog>
			)}
			{asking === "delete" && (
				<Confirm title="Delete the query?" word="Delete" close={() => setAsking(null)} run={() => remove.run()} busy={remove.busy}>
					<p>
						“<bdi>{name}</bdi>” is deleted for everybody in the account.
					</p>
					{remove.failure !== undefined && <Failed failure={remove.failure} />}
				</Confirm>
			)}
		</>
	);
}
