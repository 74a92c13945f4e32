// Uploads: files wait, are sent two at a time, are sent again when the server or the network fails, and are followed
// until they are processed. They go on while one walks from page to page.

import { computed, signal } from "@preact/signals";
import { address, ask, expired, Failure } from "./api";
import type { Accepted, Problem, ProgressOfMany } from "./wire";

export type UploadState =
	| "waiting" // for its turn
	| "sending"
	| "retrying" // for a server that was away or busy
	| "processing" // the server has it
	| "finished"
	| "failed" // processing failed
	| "refused"; // by the server: nothing was kept

export interface Upload {
	id: number;
	file: File;
	/** As a JSON document; empty for none. */
	configuration: string;
	metadata: string;
	/** The Idempotency-Key: sent again, the same recording is made once. */
	key: string;
	state: UploadState;
	/** Bytes that the server has taken. */
	sent: number;
	tries: number;
	/** When it is sent again, in milliseconds since 1970. */
	again?: number;
	mediaId?: string;
	/** The step of processing, and how far it is, 0 to 100. */
	step?: string;
	percent?: number;
	problems?: Problem[];
}

export const uploads = signal<readonly Upload[]>([]);

/** Whether leaving the pages would cut an upload. */
export const sending = computed(() => uploads.value.some((u) => ["waiting", "sending", "retrying"].includes(u.state)));

const atOnce = 2;
const pauses = [1, 2, 4, 8, 15]; // seconds before tries; the last one repeats
const requests = new Map<number, { abort: () => void }>();
let last = 0;

/** Adds files to be sent. */
export function upload(files: { file: File; configuration: string; metadata: string }[]): void {
	const added = files.map((f): Upload => ({ ...f, id: ++last, key: randomKey(), state: "waiting", sent: 0, tries: 0 }));
	uploads.value = [...uploads.value, ...added];
	pump();
}

/** Takes an upload out: what is not sent is not sent, what is sent stays on the server. */
export function forget(id: number): void {
	requests.get(id)?.abort();
	requests.delete(id);
	uploads.value = uploads.value.filter((u) => u.id !== id);
	pump();
}

/** Takes out all that are at their end. */
export function forgetDone(): void {
	uploads.value = uploads.value.filter((u) => !["finished", "failed", "refused"].includes(u.state));
}

/** Sends a refused upload again, now. */
export function sendAgain(id: number): void {
	change(id, { state: "waiting", problems: undefined, again: undefined, key: randomKey(), tries: 0 });
	pump();
}

function change(id: number, changes: Partial<Upload>): void {
	uploads.value = uploads.value.map((u) => (u.id === id ? { ...u, ...changes } : u));
}

function pump(): void {
	const busy = uploads.value.filter((u) => u.state === "sending").length;
	for (const u of uploads.value.filter((u) => u.state === "waiting").slice(0, Math.max(0, atOnce - busy))) send(u);
}

function send(u: Upload): void {
	change(u.id, { state: "sending", sent: 0, again: undefined, tries: u.tries + 1 });
	const request = new XMLHttpRequest(); // fetch does not tell how much is sent
	requests.set(u.id, request);
	const form = new FormData();
	if (u.configuration !== "") form.append("configuration", u.configuration);
	if (u.metadata !== "") form.append("metadata", u.metadata);
	form.append("media", u.file, u.file.name);
	request.open("POST", address("v3/media"));
	request.setRequestHeader("Idempotency-Key", u.key);
	request.upload.onprogress = (e) => change(u.id, { sent: Math.min(u.file.size, e.loaded) });
	request.onerror = () => later(u.id, request);
	request.onload = () => answered(u.id, request);
	request.onloadend = () => {
		if (requests.get(u.id) === request) requests.delete(u.id);
		pump();
	};
	request.send(form);
}

function answered(id: number, request: XMLHttpRequest): void {
	if (request.status === 200) {
		const { mediaId } = JSON.parse(request.responseText) as Accepted;
		change(id, { state: "processing", mediaId, step: "Waiting", percent: 0 });
		follow();
	} else if ([429, 502, 503, 504].includes(request.status)) {
		later(id, request);
	} else {
		if (request.status === 401) expired.value++;
		change(id, { state: "refused", problems: problemsOf(request) });
	}
}

function problemsOf(request: XMLHttpRequest): Problem[] {
	try {
		return JSON.parse(request.responseText).errors;
	} catch {
		return [{ code: 0, error: `The server answered with status ${request.status}.` }];
	}
}

/** Waits for a server that is away or busy, and sends the file again: the same recording is made once. */
function later(id: number, request: XMLHttpRequest): void {
	const u = uploads.value.find((u) => u.id === id);
	if (u === undefined) return;
	const said = Number(request.status > 0 ? request.getResponseHeader("Retry-After") : 0);
	const seconds = said > 0 ? said : (pauses[Math.min(u.tries, pauses.length) - 1] ?? 1);
	change(id, { state: "retrying", again: Date.now() + seconds * 1000 });
	const timer = setTimeout(() => {
		requests.delete(id);
		change(id, { state: "waiting" });
		pump();
	}, seconds * 1000);
	requests.set(id, { abort: () => clearTimeout(timer) });
}

let following = false;

/** Asks for the progress of all that are being processed, every other second, until there are none. */
async function follow(): Promise<void> {
	if (following) return;
	following = true;
	for (;;) {
		const open = uploads.value.filter((u) => u.state === "processing").slice(0, 100);
		if (open.length === 0) break;
		if (!document.hidden) await look(open);
		await new Promise((done) => setTimeout(done, 2000));
	}
	following = false;
}

async function look(open: Upload[]): Promise<void> {
	try {
		const query = { mediaId: open.map((u) => u.mediaId ?? "") };
		const { media } = await ask<ProgressOfMany>("GET", "v3/media/progress", { query, silent: true });
		for (const m of media) {
			const u = open.find((u) => u.mediaId === m.mediaId);
			if (u !== undefined) change(u.id, progressOf(m));
		}
	} catch (err) {
		if (!(err instanceof Failure)) throw err; // it is asked again
	}
}

function progressOf(m: ProgressOfMany["media"][number]): Partial<Upload> {
	if (m.errors !== undefined) return { state: "failed", problems: m.errors };
	if (m.status === "finished") return { state: "finished", percent: 100 };
	if (m.status === "failed" || m.status === "rejected") return { state: "failed" };
	const task = m.progress?.tasks.find((t) => t.status === "started");
	return { step: task?.display ?? "Waiting", percent: task?.percent ?? 0 };
}

/** 128 random bits. (crypto.randomUUID is not there without TLS.) */
function randomKey(): string {
	return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
}

addEventListener("beforeunload", (e) => {
	if (sending.value) e.preventDefault();
});
