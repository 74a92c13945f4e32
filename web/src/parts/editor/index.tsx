// The editor of the query language. Its elements and looks live in a shadow root, so that it keeps to the policy of the
// pages.

import {
	acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, defaultKeymap, type Diagnostic, EditorState, EditorView, history, historyKeymap, keymap, lineNumbers,
	placeholder, setDiagnostics, tooltips, Prec,
} from "codemirror";
import { ask, asFailure, type Failure, useEffect, useRef } from "kit";
import type { Check, Problem } from "../../kit/wire";
import { complete, fields } from "./complete";
import { colours, language } from "./language";

export { Problems } from "./problems";

export interface EditorProps {
	value: string;
	/** Called with each change of the text. */
	change: (text: string) => void;
	/** Called by Ctrl+Enter. */
	run: () => void;
	/** Called with what the server says of the text. */
	checked: (check: Check | null, failure: Failure | null) => void;
	label: string;
	hint?: string;
	/** What the text is. */
	kind: "query" | "condition" | "category";
	/** Called when the editor is there, with what can be done to it. */
	ready?: (handle: Handle) => void;
}

/** What a page can do to an editor. */
export interface Handle {
	focus(): void;
	/** Inserts a text at the caret. */
	insert(text: string): void;
	/** Puts the caret to a problem. */
	show(p: Problem): void;
	/** Puts the nearest text in place of the wrong part. */
	mend(p: Problem): void;
}

const looks = EditorView.theme({
	"&": { fontSize: "0.875rem", color: "var(--ink)", backgroundColor: "var(--surface)" },
	"&.cm-focused": { outline: "none" },
	".cm-content": { fontFamily: "var(--mono)", caretColor: "var(--ink)", padding: "8px 0" },
	".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--quiet)", border: "0" },
	".cm-cursor": { borderLeftColor: "var(--ink)" },
	"&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--accent-soft)" },
	".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "6px", boxShadow: "var(--shadow)" },
	".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "16rem" },
	".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent-soft)", color: "var(--ink)" },
	".cm-completionDetail": { color: "var(--quiet)", fontStyle: "normal", marginLeft: "1rem" },
	".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
	".cm-diagnosticAction": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
	".cm-placeholder": { color: "var(--quiet)" },
	".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad) 1px", textUnderlineOffset: "3px" },
	".cm-lintPoint-error:after": { borderBottomColor: "var(--bad)" },
});

/**
 * Replaces a selection by what is typed. A browser that does so itself keeps the colour of what was selected, as a style
 * attribute, which the policy of the pages refuses.
 */
const replacing = EditorView.domEventHandlers({
	beforeinput(e, view) {
		const { from, to, empty } = view.state.selection.main;
		const text = e.data;
		if (e.inputType !== "insertText" || empty || text === null || view.composing) return false;
		const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
		e.preventDefault();
		if (!view.state.facet(EditorView.inputHandler).some((h) => h(view, from, to, text, insert))) view.dispatch(insert());
		return true;
	},
});

/** How long after a key the server is asked, in milliseconds. */
const pause = 20;

export function Editor(props: EditorProps) {
	const host = useRef<HTMLDivElement>(null);
	const latest = useRef(props);
	latest.current = props;
	const view = useRef<EditorView | null>(null);
	const told = useRef<string[]>([]); // texts that were typed and have not come back as values yet
	useEffect(() => {
		if (host.current === null) return;
		const made = mount(host.current, latest, told.current);
		view.current = made;
		latest.current.ready?.(handle(made));
		fields().catch(() => undefined); // so that they are there when somebody types
		return () => made.destroy();
	}, []);
	useEffect(() => {
		const v = view.current;
		const own = told.current.indexOf(props.value);
		told.current.splice(0, own < 0 ? told.current.length : own + 1);
		// a value that was typed is older than the text if somebody types on: it must not be put back
		if (v === null || own >= 0 || v.state.doc.toString() === props.value) return;
		v.dispatch({ changes: { from: 0, to: v.state.doc.length, insert: props.value } });
	}, [props.value]);
	useEffect(() => {
		const stop = new AbortController();
		const wait = setTimeout(() => check(view.current, latest, stop.signal), pause);
		return () => {
			clearTimeout(wait);
			stop.abort();
		};
	}, [props.value, props.kind]);
	return <div class="editor" ref={host} />;
}

function mount(host: HTMLDivElement, latest: { current: EditorProps }, told: string[]): EditorView {
	const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
	const { label, hint, value } = latest.current;
	const run = () => {
		latest.current.run();
		return true;
	};
	return new EditorView({
		root,
		parent: root,
		state: EditorState.create({
			doc: value,
			extensions: [
				Prec.highest(keymap.of([{ key: "Mod-Enter", run }, { key: "Tab", run: acceptCompletion }])),
				lineNumbers(),
				history(),
				closeBrackets(),
				language,
				colours,
				looks,
				EditorView.lineWrapping,
				replacing,
				EditorView.contentAttributes.of({ "aria-label": label }),
				hint === undefined ? [] : placeholder(hint),
				autocompletion({ override: [complete], activateOnTypingDelay: 30, icons: false }),
				tooltips({ position: "absolute" }),
				keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
				EditorView.updateListener.of((u) => {
					if (!u.docChanged) return;
					const text = u.state.doc.toString();
					if (told.length === 0 && text === latest.current.value) return; // it was set, not typed
					told.push(text);
					latest.current.change(text);
				}),
			],
		}),
	});
}

/** Asks the server what is wrong, and marks it. */
async function check(view: EditorView | null, latest: { current: EditorProps }, signal: AbortSignal): Promise<void> {
	const { value, kind, checked } = latest.current;
	if (view === null) return;
	if (value.trim() === "") {
		checked(null, null);
		view.dispatch(setDiagnostics(view.state, []));
		return;
	}
	const body = kind === "query" ? { query: value } : { condition: value, category: kind === "category" || undefined };
	try {
		const answer = await ask<Check>("POST", "v3/analytics/check", { body, signal, silent: true });
		if (signal.aborted) return;
		checked(answer, null);
		view.dispatch(setDiagnostics(view.state, answer.problems.map((p) => diagnostic(view, p))));
	} catch (err) {
		if (!signal.aborted) checked(null, asFailure(err));
	}
}

/** The place of a problem in the text. */
function placeOf(view: EditorView, p: Problem): { from: number; to: number } {
	const { doc } = view.state;
	const line = doc.line(Math.min(Math.max(1, p.line ?? 1), doc.lines));
	const from = Math.min(line.from + (p.column ?? 1) - 1, doc.length);
	return { from, to: Math.min(from + (p.length ?? 0), doc.length) };
}

function diagnostic(view: EditorView, p: Problem): Diagnostic {
	const { nearest } = p;
	return {
		...placeOf(view, p),
		severity: "error",
		message: p.error,
		actions: nearest === undefined ? [] : [{ name: `Use ${nearest}`, apply: (v) => mend(v, p) }],
	};
}

function mend(view: EditorView, p: Problem): void {
	if (p.nearest === undefined) return;
	const { from, to } = placeOf(view, p);
	view.dispatch({ changes: { from, to, insert: p.nearest }, selection: { anchor: from + p.nearest.length } });
	view.focus();
}

function handle(view: EditorView): Handle {
	return {
		focus: () => view.focus(),
		insert: (text) => {
			view.dispatch(view.state.replaceSelection(text));
			view.focus();
		},
		show: (p) => {
			const { from, to } = placeOf(view, p);
			view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
			view.focus();
		},
		mend: (p) => mend(view, p),
	};
}
