// Who is signed in, and what the key of the session allows.

import { effect, signal } from "@preact/signals";
import { ask, expired, Failure } from "./api";
import type { Scope, SignedIn } from "./wire";

/** The session; null when nobody is signed in, undefined until the server has said. */
export const session = signal<SignedIn | null | undefined>(undefined);

/** What kept the page from learning who is signed in. */
export const unreachable = signal<Failure | null>(null);

effect(() => {
	if (expired.value > 0) session.value = null;
});

/** Asks the server who is signed in. */
export async function resume(): Promise<void> {
	unreachable.value = null;
	try {
		session.value = (await ask<SignedIn | "">("GET", "ui/session", { silent: true })) || null;
	} catch (err) {
		if (err instanceof Failure && err.status === 401) session.value = null;
		else if (err instanceof Failure) unreachable.value = err;
		else throw err;
	}
}

/** Signs in with a key or with the secret of a one-time link. Throws Failure. */
export async function signIn(by: { key: string } | { link: string }): Promise<void> {
	session.value = await ask<SignedIn>("POST", "ui/session", { body: by, silent: true });
}

/** Ends the session. */
export async function signOut(): Promise<void> {
	await ask("DELETE", "ui/session", { silent: true });
	session.value = null;
}

/** Reports whether the session's key has a scope. */
export function may(scope: string): boolean {
	return session.value?.scopes.includes(scope as Scope) ?? false;
}
