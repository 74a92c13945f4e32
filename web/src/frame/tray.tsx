// The tray of uploads, which stays while one goes from page to page.

import { bytes, counted, forget, forgetDone, Icon, IconButton, link, sendAgain, type Upload, type UploadState, uploads, useEffect, useState } from "kit";

const stateWords: Record<UploadState, string> = {
	waiting: "Waits for its turn",
	sending: "Sending",
	retrying: "Waits for the server",
	processing: "Being processed",
	finished: "Finished",
	failed: "Processing failed",
	refused: "Refused",
};

export function Tray() {
	const [open, setOpen] = useState(true);
	const list = uploads.value;
	if (list.length === 0) return null;
	const going = list.filter((u) => !["finished", "failed", "refused"].includes(u.state)).length;
	const bad = list.filter((u) => u.state === "failed" || u.state === "refused").length;
	const title = going > 0 ? `${counted(going, "upload")} under way` : `${counted(list.length, "upload")} done`;
	return (
		<aside class="tray" aria-label="Uploads">
			<header>
				<button type="button" class="plain" aria-expanded={open} onClick={() => setOpen(!open)}>
					<Icon name={open ? "down" : "up"} size={14} /> {title}
					{bad > 0 && <span class="badge bad">{bad} failed</span>}
				</button>
				{going < list.length && (
					<button type="button" class="text" onClick={forgetDone}>
						Clear
					</button>
				)}
			</header>
			{open && (
				<ul>
					{list.map((u) => (
						<Line key={u.id} u={u} />
					))}
				</ul>
			)}
		</aside>
	);
}

function Line({ u }: { u: Upload }) {
	const value = u.state === "processing" ? (u.percent ?? 0) / 100 : u.file.size === 0 ? 0 : u.sent / u.file.size;
	const name = <bdi class="clip" title={u.file.name}>{u.file.name}</bdi>;
	return (
		<li>
			<div class="tray-line">
				{u.mediaId !== undefined ? <a href={link(["call", u.mediaId])}>{name}</a> : name}
				<span class="quiet small">
					<State u={u} />
				</span>
				{u.state === "refused" && <IconButton icon="again" label={`Send ${u.file.name} again`} onClick={() => sendAgain(u.id)} />}
				<IconButton icon="close" label={`Take ${u.file.name} out`} onClick={() => forget(u.id)} />
			</div>
			{["sending", "processing"].includes(u.state) && (
				<progress value={value} aria-label={`${stateWords[u.state]}: ${u.file.name}`} />
			)}
			{u.problems?.map((p) => (
				<p class="problem">
					{p.error} {p.code > 0 && `(code ${p.code})`}
				</p>
			))}
		</li>
	);
}

function State({ u }: { u: Upload }) {
	const now = useNow(u.state === "retrying");
	switch (u.state) {
		case "sending":
			return <>{`${bytes(u.sent)} of ${bytes(u.file.size)}`}</>;
		case "processing":
			return <>{`${u.step ?? stateWords.processing} ${Math.round(u.percent ?? 0)} %`}</>;
		case "retrying":
			return <>{`The server is away; again in ${Math.max(0, Math.ceil(((u.again ?? now) - now) / 1000))} s`}</>;
		default:
			return <>{stateWords[u.state]}</>;
	}
}

/** The time, every second while it is needed. */
function useNow(needed: boolean): number {
	const [now, setNow] = useState(Date.now());
	useEffect(() => {
		if (!needed) return;
		const timer = setInterval(() => setNow(Date.now()), 1000);
		return () => clearInterval(timer);
	}, [needed]);
	return now;
}
