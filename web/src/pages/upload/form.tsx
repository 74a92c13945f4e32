// The form of the configuration, its JSON beside it: each changes the other.

import { Field, session, useMemo } from "kit";
import { at, choices, type Json, parse, put, sides, text, withSides } from "./config";
import { Listen } from "./listen";

export function Form({ value, change, file, problems }: {
	value: string;
	change: (text: string) => void;
	/** A recording to listen to. */
	file?: File;
	problems: string[];
}) {
	const parsed = useMemo(() => parse(value), [value]);
	const mistake = "mistake" in parsed ? parsed.mistake : problems.join("\n");
	return (
		<div class="upload-form">
			{"value" in parsed ? (
				<Choices c={parsed.value} set={(c) => change(text(c))} file={file} />
			) : (
				<p class="quiet">The form is back when the JSON is right.</p>
			)}
			<Field label="As JSON" problem={mistake === "" ? undefined : mistake} hint="All keys are in the API reference. What the form does not know stays as it is.">
				{(a) => <textarea {...a} class="code" rows={22} spellcheck={false} value={value} onInput={(e) => change(e.currentTarget.value)} />}
			</Field>
		</div>
	);
}

function Choices({ c, set, file }: { c: Json; set: (c: Json) => void; file?: File }) {
	const names = sides(c);
	const other = at(c, "ingest") !== undefined && names === null;
	return (
		<div>
			<Field label="Language">
				{(a) => <Language attributes={a} value={String(at(c, "speechModel.language") ?? "en-US")} set={(v) => set(put(c, "speechModel.language", v))} />}
			</Field>
			<fieldset>
				<legend>Who speaks</legend>
				<label class="choice">
					<input type="radio" name="who" checked={names !== null} onChange={() => set(withSides(c, { left: "Agent", right: "Caller" }))} />
					Two people, on a channel each or together
				</label>
				{names !== null && (
					<div class="sides">
						<Side side="left" names={names} set={(n) => set(withSides(c, n))} file={file} />
						<Side side="right" names={names} set={(n) => set(withSides(c, n))} file={file} />
						<button type="button" onClick={() => set(withSides(c, { left: names.right, right: names.left }))}>
							Swap
						</button>
					</div>
				)}
				<label class="choice">
					<input type="radio" name="who" checked={names === null && !other} onChange={() => set(withSides(c, null))} />
					One person, or it does not matter
				</label>
				{other && <p class="hint">The JSON describes the speakers in another way.</p>}
			</fieldset>
			<fieldset>
				<legend>What is found out</legend>
				{choices.map((choice) => (
					<label class="choice">
						<input type="checkbox" checked={choice.on(c)} onChange={(e) => set(choice.set(c, e.currentTarget.checked))} />
						<span>
							{choice.label} <span class="quiet">– {choice.about}</span>
						</span>
					</label>
				))}
			</fieldset>
		</div>
	);
}

function Side({ side, names, set, file }: {
	side: "left" | "right";
	names: { left: string; right: string };
	set: (names: { left: string; right: string }) => void;
	file?: File;
}) {
	return (
		<Field label={side === "left" ? "Left channel" : "Right channel"}>
			{(a) => (
				<span class="side">
					<input {...a} value={names[side]} onInput={(e) => set({ ...names, [side]: e.currentTarget.value })} />
					{file !== undefined && <Listen key={file.name} file={file} side={side} label={`Listen to the ${side}`} />}
				</span>
			)}
		</Field>
	);
}

function Language({ attributes, value, set }: { attributes: { id: string }; value: string; set: (language: string) => void }) {
	const codes = new Set(session.value?.server.engines.flatMap((e) => e.languages));
	codes.add(value);
	const display = new Intl.DisplayNames(undefined, { type: "language" });
	return (
		<select {...attributes} value={value} onChange={(e) => set(e.currentTarget.value)}>
			{[...codes].sort().map((code) => (
				<option value={code}>{name(display, code)}</option>
			))}
		</select>
	);
}

function name(display: Intl.DisplayNames, code: string): string {
	try {
		return `${display.of(code.replace("en-UK", "en-GB")) ?? code} (${code})`;
	} catch {
		return code;
	}
}
