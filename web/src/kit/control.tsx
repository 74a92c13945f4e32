// Controls that every page shares. They are those of the browser wherever it has one.

import type { ComponentChildren, ButtonHTMLAttributes } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "./icon";

/** A button that is a picture; its label is read out and shown as a tip. */
export function IconButton({ icon, label, ...rest }: { icon: IconName; label: string } & ButtonHTMLAttributes<HTMLButtonElement>) {
	return (
		<button type="button" {...rest} class={`icon-button ${rest.class ?? ""}`} aria-label={label} title={label}>
			<Icon name={icon} />
		</button>
	);
}

/** A labelled control, with what the server says of its value below it. */
export function Field({ label, hint, problem, children }: {
	label: string;
	hint?: ComponentChildren;
	problem?: string;
	children: (attributes: { id: string; "aria-describedby"?: string; "aria-invalid"?: boolean }) => ComponentChildren;
}) {
	const id = useId();
	const described = hint !== undefined || problem !== undefined ? `${id}-about` : undefined;
	return (
		<div class="field">
			<label for={id}>{label}</label>
			{children({ id, "aria-describedby": described, "aria-invalid": problem !== undefined || undefined })}
			{described !== undefined && (
				<div id={described} class={problem !== undefined ? "problem" : "hint"}>
					{problem ?? hint}
				</div>
			)}
		</div>
	);
}

/** A modal dialog. Escape and a click beside it close it; the focus goes back to where it was. */
export function Dialog({ title, close, children, wide = false }: {
	title: string;
	close: () => void;
	children: ComponentChildren;
	wide?: boolean;
}) {
	const dialog = useRef<HTMLDialogElement>(null);
	const heading = useId();
	useEffect(() => {
		const before = document.activeElement;
		dialog.current?.showModal();
		return () => {
			dialog.current?.close();
			if (before instanceof HTMLElement) before.focus();
		};
	}, []);
	return (
		<dialog
			ref={dialog}
			class={wide ? "dialog wide" : "dialog"}
			aria-labelledby={heading}
			onCancel={(e) => {
				e.preventDefault();
				close();
			}}
			onMouseDown={(e) => e.target === dialog.current && close()}
		>
			<div class="dialog-body">
				<header class="dialog-head">
					<h2 id={heading}>{title}</h2>
					<IconButton icon="close" label="Close" onClick={close} />
				</header>
				{children}
			</div>
		</dialog>
	);
}

/** Asks before something that cannot be undone. The word on the button says what happens. */
export function Confirm({ title, word, close, run, busy = false, children }: {
	title: string;
	word: string;
	close: () => void;
	run: () => void;
	busy?: boolean;
	children: ComponentChildren;
}) {
	return (
		<Dialog title={title} close={close}>
			{children}
			<div class="actions end">
				<button type="button" onClick={close}>
					Cancel
				</button>
				<button type="button" class="danger" disabled={busy} onClick={run}>
					{word}
				</button>
			</div>
		</Dialog>
	);
}

/** A button that opens a list of actions. */
export function Menu({ label, icon, children, end = false }: {
	label: string;
	icon?: IconName;
	children: ComponentChildren;
	end?: boolean;
}) {
	const [open, setOpen] = useState(false);
	const box = useRef<HTMLDivElement>(null);
	useEffect(() => {
		if (!open) return;
		box.current?.querySelector<HTMLElement>(".menu-list a, .menu-list button")?.focus();
		const leave = (e: Event) => !box.current?.contains(e.target as Node) && setOpen(false);
		document.addEventListener("pointerdown", leave);
		return () => document.removeEventListener("pointerdown", leave);
	}, [open]);
	const move = (e: KeyboardEvent) => {
		if (e.key === "Escape" && open) {
			e.stopPropagation();
			setOpen(false);
			box.current?.querySelector("button")?.focus();
		}
		if (e.key !== "ArrowDown" && e.key !== "ArrowUp") return;
		e.preventDefault();
		const items = [...(box.current?.querySelectorAll<HTMLElement>(".menu-list a, .menu-list button") ?? [])];
		const at = items.indexOf(document.activeElement as HTMLElement);
		items[(at + (e.key === "ArrowDown" ? 1 : items.length - 1)) % items.length]?.focus();
	};
	return (
		<div class="menu" ref={box} onKeyDown={move}>
			<button type="button" aria-expanded={open} aria-haspopup="true" onClick={() => setOpen(!open)}>
				{icon !== undefined && <Icon name={icon} />}
				{label}
				<Icon name="down" size={14} />
			</button>
			{open && (
				<div class={end ? "menu-list end" : "menu-list"} onClick={() => setOpen(false)}>
					{children}
				</div>
			)}
		</div>
	);
}

/** Tabs; the arrow keys change them. The panel has the id `${id}-panel`. */
export function Tabs<K extends string>({ id, label, tabs, value, choose }: {
	id: string;
	label: string;
	tabs: readonly { key: K; label: string; count?: number }[];
	value: K;
	choose: (key: K) => void;
}) {
	const move = (e: KeyboardEvent) => {
		const step = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
		if (step === 0) return;
		e.preventDefault();
		const at = tabs.findIndex((t) => t.key === value);
		const next = tabs[(at + step + tabs.length) % tabs.length];
		if (next === undefined) return;
		choose(next.key);
		document.getElementById(`${id}-${next.key}`)?.focus();
	};
	return (
		<div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
			{tabs.map((t) => (
				<button
					type="button"
					role="tab"
					id={`${id}-${t.key}`}
					aria-selected={t.key === value}
					aria-controls={`${id}-panel`}
					tabIndex={t.key === value ? 0 : -1}
					onClick={() => choose(t.key)}
				>
					{t.label}
					{t.count !== undefined && <span class="count">{t.count}</span>}
				</button>
			))}
		</div>
	);
}

/** Copies a text and reports whether it could. Without TLS, browsers other than on this machine have no clipboard to write to. */
async function copied(text: string): Promise<boolean> {
	if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text).then(() => true, () => false);
	const area = document.createElement("textarea");
	area.value = text;
	(document.querySelector("dialog[open]") ?? document.body).append(area); // a modal dialog lets nothing else be selected
	area.select();
	const done = document.execCommand("copy");
	area.remove();
	return done;
}

/** Copies a text, and says so. */
export function Copy({ text, label = "Copy" }: { text: string | (() => string); label?: string }) {
	const [done, setDone] = useState(false);
	const copy = async () => {
		setDone(await copied(typeof text === "string" ? text : text()));
	};
	return (
		<button type="button" onClick={copy} onBlur={() => setDone(false)}>
			<Icon name={done ? "check" : "copy"} size={16} /> {done ? "Copied" : label}
		</button>
	);
}
