// The list of keys behind "?".

import { Dialog, shortcuts } from "kit";

const names: Record<string, string> = { " ": "Space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

export function KeyList({ close }: { close: () => void }) {
	return (
		<Dialog title="Keys" close={close}>
			<dl class="keys">
				{shortcuts.value.map((s) => (
					<div>
						<dt>
							<kbd>{s.key.replace("Ctrl+", "Ctrl ").replace(/\S+$|^ $/, (k) => names[k] ?? (k.length === 1 ? k.toUpperCase() : k))}</kbd>
						</dt>
						<dd>{s.does}</dd>
					</div>
				))}
			</dl>
		</Dialog>
	);
}
