// Keys of the keyboard that do something on a page. They rest while somebody types.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

export interface Shortcut {
	/** As KeyboardEvent.key, "Ctrl+" before it where the control or command key is held. */
	key: string;
	/** What it does, for the list of keys. */
	does: string;
	run: (e: KeyboardEvent) => void;
}

/** All keys that work now, for the list behind "?". */
export const shortcuts = signal<readonly Shortcut[]>([]);

/** Makes keys work while a component is there. */
export function useKeys(list: Shortcut[]): void {
	const latest = useRef(list);
	latest.current = list;
	useEffect(() => {
		const mine = latest.current.map((s, i) => ({ ...s, run: (e: KeyboardEvent) => latest.current[i]?.run(e) }));
		shortcuts.value = [...shortcuts.peek(), ...mine];
		return () => {
			shortcuts.value = shortcuts.peek().filter((s) => !mine.includes(s));
		};
	}, []);
}

function typing(e: KeyboardEvent): boolean {
	const at = e.composedPath()[0];
	if (at instanceof HTMLInputElement && (at.type === "checkbox" || at.type === "radio")) return false;
	return at instanceof HTMLElement && (at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName));
}

addEventListener("keydown", (e) => {
	if (e.defaultPrevented || e.altKey) return;
	const held = e.ctrlKey || e.metaKey;
	if (!held && (typing(e) || document.querySelector("dialog[open]") !== null)) return;
	const name = (held ? "Ctrl+" : "") + e.key;
	const found = shortcuts.peek().findLast((s) => s.key === name);
	// a button or a link that has the focus takes these itself
	const takes = name === "Enter" ? "a, button, summary" : "button, summary, input";
	if (found === undefined || ((name === " " || name === "Enter") && e.target instanceof Element && e.target.matches(takes))) return;
	e.preventDefault();
	found.run(e);
});
