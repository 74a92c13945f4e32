// The frame of all pages: the rail, the page, messages, and what opens over it.

import { asFailure, Component, type ComponentChildren, Failed, type FunctionComponent, Icon, IconButton, link, Loading, may, Menu, noted, resume, route, session, signOut, unreachable, useEffect, useRef, useState } from "kit";
import { AsAPI } from "./asapi";
import { KeyList } from "./keylist";
import { Messages } from "./messages";
import { Palette } from "./palette";
import { entry, type PageEntry, type PageModule, pages } from "./pages";
import { SignIn } from "./signin";
import { theme, toggle } from "./theme";
import { Tray } from "./tray";
import { Drop } from "./drop";
import { useKeys } from "kit";

export function Frame() {
	useEffect(() => void resume(), []);
	if (unreachable.value !== null) return <Failed failure={unreachable.value} again={resume} what="Parley does not answer" />;
	if (session.value === undefined) return <Loading what="your session" />;
	if (session.value === null) return <SignIn />;
	return <SignedIn />;
}

type Over = "palette" | "keys" | "api" | null;

function SignedIn() {
	const [over, setOver] = useState<Over>(null);
	const [open, setOpen] = useState(false); // the rail, on narrow screens
	const main = useRef<HTMLElement>(null);
	const { page } = route.value;
	const shown = entry(page);
	useEffect(() => {
		if (page === "" || page === "sign-in") location.replace(link("calls"));
		setOpen(false);
		noted.value = [];
		main.current?.querySelector("h1")?.focus({ preventScroll: true });
	}, [page]);
	useKeys([
		{ key: "?", does: "Show this list of keys", run: () => setOver("keys") },
		{ key: "Ctrl+k", does: "Go to a call, a page or a definition", run: () => setOver("palette") },
	]);
	const close = () => setOver(null);
	return (
		<div class="frame">
			<a class="skip" href="#main" onClick={(e) => (e.preventDefault(), main.current?.focus())}>
				To the page
			</a>
			<header class="bar">
				<IconButton icon="menu" label="Pages" aria-expanded={open} onClick={() => setOpen(!open)} />
				<strong>{shown?.title ?? "Parley"}</strong>
			</header>
			<Rail shown={page} open={open} over={setOver} />
			<main id="main" ref={main} tabIndex={-1}>
				{shown === undefined ? <Nowhere /> : <Page key={shown.name} entry={shown} />}
			</main>
			<Tray />
			<Drop />
			<Messages />
			{over === "palette" && <Palette close={close} />}
			{over === "keys" && <KeyList close={close} />}
			{over === "api" && <AsAPI close={close} />}
		</div>
	);
}

function Rail({ shown, open, over }: { shown: string; open: boolean; over: (o: Over) => void }) {
	const current = shown === "call" ? "calls" : shown;
	return (
		<nav class={open ? "rail open" : "rail"} aria-label="Pages">
			<a class="rail-home" href={link("calls")}>
				<img src="icon.svg" alt="" width="24" height="24" /> Parley
			</a>
			<button type="button" class="rail-search" onClick={() => over("palette")}>
				<Icon name="search" size={16} /> Go to… <kbd>Ctrl K</kbd>
			</button>
			<ul>
				{pages.filter((p) => p.rail).map((p) => (
					<li>
						<a href={link(p.name)} aria-current={p.name === current ? "page" : undefined}>
							<Icon name={p.icon} /> {p.title}
						</a>
					</li>
				))}
			</ul>
			<div class="rail-foot">
				<button type="button" onClick={() => over("api")}>
					<Icon name="code" size={16} /> As API
				</button>
				<button type="button" onClick={() => over("keys")}>
					<Icon name="help" size={16} /> Keys
				</button>
				<button type="button" onClick={toggle}>
					<Icon name={theme.value === "dark" ? "sun" : "moon"} size={16} /> Light or dark
				</button>
				<Menu label={session.value?.account.name ?? ""} icon="admin">
					<span class="quiet menu-note">
						Signed in with {session.value?.key.description || `the key …${session.value?.key.lastSix}`}
					</span>
					<a href="../docs" target="_blank" rel="noopener">
						API reference
					</a>
					<button type="button" onClick={signOut}>
						Sign out
					</button>
				</Menu>
			</div>
		</nav>
	);
}

/** A page, whose script is loaded when it is shown first. */
function Page({ entry: { load, scope, title } }: { entry: PageEntry }) {
	const [module, setModule] = useState<PageModule>();
	const [failed, setFailed] = useState(false);
	const get = () => {
		setFailed(false);
		load().then(setModule, () => setFailed(true));
	};
	useEffect(get, []);
	useEffect(() => {
		document.title = `${title} – Parley`;
	}, []);
	if (!may(scope)) return <Missing scope={scope} title={title} />;
	if (failed) {
		return (
			<div class="failed" role="alert">
				<p>The page could not be loaded.</p>
				<button type="button" onClick={get}>
					Try again
				</button>
			</div>
		);
	}
	if (module === undefined) return <Loading what="the page" />;
	const Shown: FunctionComponent<{ route: typeof route.value }> = module.default;
	return (
		<Guard>
			<Shown route={route.value} />
		</Guard>
	);
}

/** Shows what went wrong where a page fails by itself, so that the frame stays. */
class Guard extends Component<{ children: ComponentChildren }, { error?: unknown }> {
	override componentDidCatch(error: unknown) {
		console.error(error);
		this.setState({ error });
	}

	override render() {
		const { error } = this.state;
		if (error === undefined) return this.props.children;
		return <Failed failure={asFailure(error)} again={() => this.setState({ error: undefined })} what="The page has a mistake" />;
	}
}

function Missing({ scope, title }: { scope: string; title: string }) {
	return (
		<div class="empty">
			<Icon name="lock" size={28} />
			<h1>{title}</h1>
			<p>
				Your key lacks the scope <code>{scope}</code>, which this page needs. Sign in with another key, or ask whoever
				gave it to you.
			</p>
		</div>
	);
}

function Nowhere() {
	return (
		<div class="empty">
			<h1>There is no such page</h1>
			<p>
				<a href={link("calls")}>To the calls</a>
			</p>
		</div>
	);
}
