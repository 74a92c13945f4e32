// Short messages of what has happened: shown in a corner, and read out.

import { signal } from "@preact/signals";

export interface Said {
	id: number;
	text: string;
	bad: boolean;
	/** A link or a button that follows from it, such as Undo. */
	act?: { label: string; run: () => void };
}

export const said = signal<Said[]>([]);

let last = 0;

/** Shows a message for eight seconds; a bad one until it is closed. */
export function say(text: string, { bad = false, act }: { bad?: boolean; act?: Said["act"] } = {}): void {
	const id = ++last;
	said.value = [...said.value.slice(-3), { id, text, bad, act }];
	if (!bad) setTimeout(() => unsay(id), 8000);
}

export function unsay(id: number): void {
	said.value = said.value.filter((s) => s.id !== id);
}
