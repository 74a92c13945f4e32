// Ctrl+K: to a call by its id or externalId, to a page, to a definition.

import { ask, Dialog, go, Icon, type IconName, link, may, useEffect, useRef, useState } from "kit";
import type { MediaList } from "../kit/wire";
import { pages } from "./pages";

interface Target {
	icon: IconName;
	title: string;
	about: string;
	to: string;
}

export function Palette({ close }: { close: () => void }) {
	const [text, setText] = useState("");
	const [at, setAt] = useState(0);
	const [found, setFound] = useState<Target[]>([]);
	const input = useRef<HTMLInputElement>(null);
	useEffect(() => input.current?.focus(), []);
	useEffect(() => {
		setAt(0);
		const stop = new AbortController();
		const wait = setTimeout(() => {
			search(text.trim(), stop.signal).then(
				(targets) => stop.signal.aborted || setFound(targets),
				() => stop.signal.aborted || setFound([]),
			);
		}, 120);
		return () => {
			clearTimeout(wait);
			stop.abort();
		};
	}, [text]);
	const list = [...places(text), ...found];
	const choose = (target: Target | undefined) => {
		if (target === undefined) return;
		close();
		go(target.to);
	};
	const move = (e: KeyboardEvent) => {
		if (e.key === "Enter") choose(list[at]);
		const step = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
		if (step === 0 || list.length === 0) return;
		e.preventDefault();
		setAt((at + step + list.length) % list.length);
	};
	return (
		<Dialog title="Go to" close={close}>
			<input
				ref={input}
				type="text"
				list={undefined}
				role="combobox"
				aria-expanded="true"
				aria-controls="palette-list"
				aria-activedescendant={list[at] && `palette-${at}`}
				aria-label="A call’s id or externalId, a page, a category, a query"
				placeholder="A call’s id or externalId, a page, a category, a query"
				value={text}
				onInput={(e) => setText(e.currentTarget.value)}
				onKeyDown={move}
			/>
			<div class="palette" id="palette-list" role="listbox" aria-label="Places">
				{list.map((t, i) => (
					<div
						role="option"
						id={`palette-${i}`}
						aria-selected={i === at}
						onMouseEnter={() => setAt(i)}
						onClick={() => choose(t)}
					>
						<Icon name={t.icon} size={16} /> <bdi>{t.title}</bdi> <span class="quiet">{t.about}</span>
					</div>
				))}
				{list.length === 0 && <p class="quiet">Nothing has this name.</p>}
			</div>
		</Dialog>
	);
}

/** Pages, and a search for the words. */
function places(text: string): Target[] {
	const low = text.trim().toLowerCase();
	const found: Target[] = pages
		.filter((p) => p.rail && p.title.toLowerCase().startsWith(low))
		.map((p) => ({ icon: p.icon, title: p.title, about: "page", to: link(p.name) }));
	if (low !== "") found.push({ icon: "search", title: text.trim(), about: "words said in calls", to: link("calls", { words: text.trim() }) });
	return found;
}

/** Calls and definitions of a name. */
async function search(text: string, signal: AbortSignal): Promise<Target[]> {
	if (text === "") return [];
	const options = { signal, silent: true };
	const none = () => [];
	const parts = await Promise.all([
		may("media:read") ? calls(text, options).catch(none) : [],
		may("definitions") ? named("v3/definition/categories", "categories", text, options).catch(none) : [],
		may("analytics") ? named("v3/analytics/queries", "query", text, options).catch(none) : [],
	]);
	signal.throwIfAborted();
	return parts.flat();
}

async function calls(text: string, options: { signal: AbortSignal; silent: boolean }): Promise<Target[]> {
	const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text);
	const query = uuid ? { mediaId: text, limit: 1 } : { externalId: text, limit: 5 };
	const { media } = await ask<MediaList>("GET", "v3/media", { query, ...options });
	return media.map((m) => ({
		icon: "calls",
		title: m.metadata?.title ?? m.metadata?.externalId ?? m.mediaId,
		about: "call",
		to: link(["call", m.mediaId]),
	}));
}

async function named(path: string, page: "categories" | "query", text: string, options: { signal: AbortSignal; silent: boolean }) {
	const answer = await ask<Record<string, unknown>>("GET", path, options);
	const list = Object.values(answer).find(Array.isArray) as { categoryName?: string; queryName?: string }[] | undefined;
	const low = text.toLowerCase();
	return (list ?? [])
		.map((d) => d.categoryName ?? d.queryName ?? "")
		.filter((name) => name.toLowerCase().includes(low))
		.slice(0, 5)
		.map((name): Target => ({ icon: page, title: name, about: page === "query" ? "query" : "category", to: link([page, name]) }));
}
