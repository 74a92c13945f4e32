// Files that were dropped or chosen, and are not sent yet: the Upload page shows them.

import { signal } from "@preact/signals";

export const staged = signal<readonly File[]>([]);

/** Adds files; one that is there already (name, size and time) stays once. */
export function stage(files: Iterable<File>): void {
	const all = [...staged.value];
	for (const f of files) {
		if (!all.some((g) => g.name === f.name && g.size === f.size && g.lastModified === f.lastModified)) all.push(f);
	}
	staged.value = all;
}

/** Takes files out. */
export function unstage(files: readonly File[]): void {
	staged.value = staged.value.filter((f) => !files.includes(f));
}
