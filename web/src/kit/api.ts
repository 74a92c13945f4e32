// The API, from the page's side: one function for all requests, failures as the server describes them.

import { signal } from "@preact/signals";
import type { Problem } from "./wire";

/** A request that the server answered with an error, or that did not reach it (status 0). */
export class Failure extends Error {
	constructor(
		readonly status: number,
		readonly problems: Problem[],
		readonly reference: string,
	) {
		super(problems.map((p) => p.error).join("\n"));
	}
}

export interface Asking {
	query?: Record<string, string | number | boolean | string[] | undefined>;
	/** A value that is sent as JSON, or a body as it is. */
	body?: unknown;
	headers?: Record<string, string>;
	signal?: AbortSignal;
	/** Leaves the request out of what "As API" shows: that of a request which the page repeats by itself. */
	silent?: boolean;
}

export interface Reply<T> {
	value: T;
	etag: string;
	headers: Headers;
}

/** A request as "As API" shows it. */
export interface Noted {
	method: string;
	path: string;
	body?: string;
	headers: Record<string, string>;
}

/** The latest requests of the page that is shown, oldest first. */
export const noted = signal<Noted[]>([]);

/** Called when the server no longer knows the session. */
export const expired = signal(0);

const root = new URL("..", document.baseURI);

/** The address of a path of the API, such as "v3/media", behind any proxy prefix. */
export function address(path: string, query: Asking["query"] = {}): string {
	const url = new URL(path, root);
	for (const [name, value] of Object.entries(query)) {
		if (value === undefined) continue;
		for (const v of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(v));
	}
	return url.href;
}

/** Escapes a name for use as a part of a path. */
export const part = encodeURIComponent;

/** Sends a request and returns the value of its JSON, its ETag and headers. Throws Failure, or AbortError when aborted. */
export async function send<T>(method: string, path: string, options: Asking = {}): Promise<Reply<T>> {
	const response = await raw(method, path, options);
	const text = response.status === 204 ? "" : await response.text();
	const json = response.headers.get("Content-Type")?.startsWith("application/json");
	return {
		value: (json && text !== "" ? JSON.parse(text) : text) as T,
		etag: response.headers.get("ETag") ?? "",
		headers: response.headers,
	};
}

/** Like send, for the value alone. */
export async function ask<T>(method: string, path: string, options: Asking = {}): Promise<T> {
	return (await send<T>(method, path, options)).value;
}

/** Sends a request and returns the response, whose status is one of success. Throws Failure. */
export async function raw(method: string, path: string, options: Asking = {}): Promise<Response> {
	const headers: Record<string, string> = { ...options.headers };
	let body = options.body as BodyInit | undefined;
	if (options.body !== undefined && !(options.body instanceof Blob || options.body instanceof FormData)) {
		body = typeof options.body === "string" ? options.body : JSON.stringify(options.body);
		headers["Content-Type"] ??= "application/json";
	}
	const url = address(path, options.query);
	if (!options.silent) note({ method, path: url.slice(root.href.length), body: shown(options.body), headers });
	let response: Response;
	try {
		response = await fetch(url, { method, headers, body, signal: options.signal, credentials: "same-origin" });
	} catch (err) {
		if (options.signal?.aborted) throw err;
		throw new Failure(0, [{ code: 0, error: "The server cannot be reached." }], "");
	}
	if (!response.ok) throw await failure(response);
	return response;
}

async function failure(response: Response): Promise<Failure> {
	let problems: Problem[] = [];
	let reference = response.headers.get("X-Request-Id") ?? "";
	try {
		const body = await response.json();
		problems = body.errors ?? [];
		reference = body.reference ?? reference;
	} catch {
		// an answer of something between the server and the page
	}
	if (problems.length === 0) problems = [{ code: 0, error: `The server answered with status ${response.status}.` }];
	if (response.status === 401) expired.value++;
	return new Failure(response.status, problems, reference);
}

function shown(body: unknown): string | undefined {
	if (body === undefined || body instanceof Blob || body instanceof FormData) return undefined;
	return typeof body === "string" ? body : JSON.stringify(body);
}

const kept = 30;

function note(n: Noted): void {
	const others = noted.peek().filter((o) => o.method !== n.method || o.path !== n.path || o.body !== n.body);
	noted.value = [...others, n].slice(-kept);
}

/** A request as a command for a shell. */
export function curl(n: Noted): string {
	const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
	const words = ["curl", "-H", '"Authorization: Bearer $TOKEN"'];
	if (n.method !== "GET" && !(n.method === "POST" && n.body !== undefined)) words.push("-X", n.method);
	for (const [name, value] of Object.entries(n.headers)) {
		if (name !== "Content-Type") words.push("-H", quoted(`${name}: ${value}`));
	}
	words.push(quoted(root.href + n.path));
	if (n.body !== undefined) words.push("-d", quoted(n.body));
	return words.join(" ");
}
