// Files that are dropped anywhere on the pages go to Upload.

import { go, Icon, link, may, route, stage, useEffect, useState } from "kit";

export function Drop() {
	const [over, setOver] = useState(false);
	useEffect(() => {
		const files = (e: DragEvent) => may("media:write") && e.dataTransfer?.types.includes("Files");
		const enter = (e: DragEvent) => {
			if (!files(e)) return;
			e.preventDefault();
			setOver(true);
		};
		const leave = (e: DragEvent) => e.relatedTarget === null && setOver(false);
		const drop = async (e: DragEvent) => {
			if (!files(e) || e.dataTransfer === null) return;
			e.preventDefault();
			setOver(false);
			stage(await filesOf(e.dataTransfer));
			if (route.value.page !== "upload") go(link("upload"));
		};
		addEventListener("dragenter", enter);
		addEventListener("dragover", enter);
		addEventListener("dragleave", leave);
		addEventListener("drop", drop);
		return () => {
			removeEventListener("dragenter", enter);
			removeEventListener("dragover", enter);
			removeEventListener("dragleave", leave);
			removeEventListener("drop", drop);
		};
	}, []);
	if (!over) return null;
	return (
		<div class="drop" aria-hidden="true">
			<Icon name="upload" size={40} />
			<p>Drop recordings, folders, or a CSV file of metadata</p>
		</div>
	);
}

/** The files of a drop, those in folders as well. */
async function filesOf(data: DataTransfer): Promise<File[]> {
	const entries = [...data.items].map((i) => i.webkitGetAsEntry()).filter((e) => e !== null);
	if (entries.length === 0) return [...data.files];
	return (await Promise.all(entries.map(below))).flat();
}

async function below(entry: FileSystemEntry): Promise<File[]> {
	if (entry.isFile) {
		return [await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed))];
	}
	const reader = (entry as FileSystemDirectoryEntry).createReader();
	const found: File[] = [];
	for (;;) {
		const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
		if (some.length === 0) return found;
		found.push(...(await Promise.all(some.map(below))).flat());
	}
}
