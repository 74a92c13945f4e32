// The page on which somebody signs in: by a key, or by a one-time link, whose secret stands behind #.

import { asFailure, Failed, Failure, Field, go, link, Loading, route, signIn, useEffect, useState } from "kit";

/** Where to go after signing in: the address that was asked for. */
let wanted = "";

export function SignIn() {
	const { page, rest } = route.value;
	const secret = page === "sign-in" ? rest[0] : undefined;
	if (page !== "sign-in" && page !== "") wanted = location.hash;
	const [key, setKey] = useState("");
	const [failure, setFailure] = useState<Failure>();
	const [busy, setBusy] = useState(secret !== undefined);
	const enter = async (by: { key: string } | { link: string }) => {
		setBusy(true);
		setFailure(undefined);
		try {
			await signIn(by);
			go(wanted === "" ? link("calls") : wanted, { replace: true });
		} catch (err) {
			setFailure(asFailure(err));
		}
		setBusy(false);
	};
	useEffect(() => {
		if (secret === undefined) return;
		history.replaceState(null, "", link("sign-in")); // the secret works once, and is not kept in the history
		enter({ link: secret });
	}, [secret]);
	return (
		<main class="signin">
			<img src="icon.svg" alt="" width="48" height="48" />
			<h1>Sign in to Parley</h1>
			{busy && <Loading what="your session" />}
			<form
				onSubmit={(e) => {
					e.preventDefault();
					enter({ key: key.trim() });
				}}
			>
				<Field label="Key" hint="A token of the API, such as one made with “parley token create”.">
					{(a) => (
						<input
							{...a}
							type="password"
							autocomplete="current-password"
							spellcheck={false}
							required
							value={key}
							onInput={(e) => setKey(e.currentTarget.value)}
						/>
					)}
				</Field>
				<button class="primary" disabled={busy || key.trim() === ""}>
					Sign in
				</button>
			</form>
			{failure !== undefined && <Failed failure={failure} what="You are not signed in" />}
			<p class="quiet">
				Without a key at hand: on the server, <code>parley token create --sign-in</code> prints a link that works once.
			</p>
		</main>
	);
}
