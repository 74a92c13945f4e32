// What is wrong with a text: each mistake with its line and a caret under the wrong part, and what would be right.

import { Icon } from "kit";
import type { Problem } from "../../kit/wire";
import type { Handle } from ".";

export function Problems({ problems, editor, text }: { problems: readonly Problem[]; editor: { current: Handle | null }; text: string }) {
	const lines = text.split("\n");
	return (
		<div class="problems" role="status" aria-label="Mistakes">
			{problems.map((p) => (
				<div class="mistake">
					<Icon name="warn" size={16} />
					<div class="grow">
						<button type="button" class="text" onClick={() => editor.current?.show(p)}>
							{p.error.split("\n")[0]}
						</button>
						{p.line !== undefined && p.column !== undefined && <Caret line={lines[p.line - 1] ?? ""} column={p.column} length={p.length ?? 1} />}
						{p.nearest === undefined && p.expected !== undefined && <p class="hint">Could stand here: {p.expected.slice(0, 12).join(", ")}</p>}
					</div>
					{p.nearest !== undefined && (
						<button type="button" onClick={() => editor.current?.mend(p)}>
							Use <bdi class="code-text">{p.nearest}</bdi>
						</button>
					)}
				</div>
			))}
		</div>
	);
}

const before = 40;

function Caret({ line, column, length }: { line: string; column: number; length: number }) {
	const from = Math.max(0, column - 1 - before);
	const to = Math.min(line.length, column - 1 + length + before);
	return (
		<pre class="caret" aria-hidden="true">
			{`${from > 0 ? "…" : ""}${line.slice(from, to)}${to < line.length ? "…" : ""}\n`}
			{`${" ".repeat(column - 1 - from + (from > 0 ? 1 : 0))}${"^".repeat(Math.max(1, Math.min(length, to - column + 1)))}`}
		</pre>
	);
}
