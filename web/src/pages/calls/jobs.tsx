// What is being processed, and what has failed: above the list, since it is not in it yet.

import { ask, counted, Icon, link, may, part, say, useAnswer, useChange, useEvery, useState } from "kit";
import type { Media, MediaList, Summary, Task } from "../../kit/wire";

const unfinished = ["running", "scheduled", "accepted"];
const broken = ["failed", "rejected"];

/** How many of each state are shown. */
const most = 20;

/** How often percentages are read while some are shown, in milliseconds. */
const pulse = 3000;

interface Jobs {
	waiting: Summary[];
	failed: Summary[];
	/** There are more than are listed. */
	moreWaiting: boolean;
	moreFailed: boolean;
}

async function load(signal: AbortSignal): Promise<Jobs> {
	const of = (status: string) => ask<MediaList>("GET", "v3/media", { query: { status, limit: most }, signal, silent: true });
	const [waiting, failed] = await Promise.all([Promise.all(unfinished.map(of)), Promise.all(broken.map(of))]);
	const all = (lists: MediaList[]) => [...new Map(lists.flatMap((l) => l.media).map((m) => [m.mediaId, m])).values()];
	const more = (lists: MediaList[]) => lists.some((l) => l._links.next !== undefined);
	return { waiting: all(waiting), failed: all(failed), moreWaiting: more(waiting), moreFailed: more(failed) };
}

export function useJobs(ready: boolean) {
	return useAnswer(ready && may("media:read") ? "jobs" : null, load, { keep: true });
}

export function JobsBar({ jobs, again }: { jobs: Jobs | undefined; again: () => void }) {
	const [open, setOpen] = useState<"waiting" | "failed" | null>(null);
	if (jobs === undefined || jobs.waiting.length + jobs.failed.length === 0) return null;
	const { waiting, failed } = jobs;
	const toggle = (which: "waiting" | "failed") => setOpen(open === which ? null : which);
	return (
		<section class="calls-jobs" aria-label="Not in the list yet">
			<div class="actions">
				{waiting.length > 0 && (
					<button type="button" aria-expanded={open === "waiting"} onClick={() => toggle("waiting")}>
						<Icon name="clock" size={16} /> {counted(waiting.length, "call")}
						{jobs.moreWaiting && " or more"} in processing
					</button>
				)}
				{failed.length > 0 && (
					<button type="button" class="calls-failed" aria-expanded={open === "failed"} onClick={() => toggle("failed")}>
						<Icon name="warn" size={16} /> {counted(failed.length, "call")}
						{jobs.moreFailed && " or more"} failed
					</button>
				)}
			</div>
			{open === "waiting" && waiting.length > 0 && <Waiting media={waiting} />}
			{open === "failed" && failed.length > 0 && (
				<ul class="calls-job-list" aria-label="Failed calls">
					{failed.map((m) => (
						<Broken key={m.mediaId} media={m} again={again} />
					))}
				</ul>
			)}
		</section>
	);
}

const nameOf = (m: Summary): string => m.metadata?.title || m.metadata?.externalId || m.mediaId;

function Name({ media }: { media: Summary }) {
	return (
		<a href={link(["call", media.mediaId])} class="calls-job-name" title={nameOf(media)}>
			<bdi>{nameOf(media)}</bdi>
		</a>
	);
}

type Progress = { media: { mediaId: string; status?: string; progress?: { tasks: Task[] } }[] };

function Waiting({ media }: { media: Summary[] }) {
	const ids = media.map((m) => m.mediaId);
	const answer = useAnswer(ids.join(), (signal) => ask<Progress>("GET", "v3/media/progress", { query: { mediaId: ids }, signal, silent: true }), { keep: true });
	useEvery(pulse, answer.again);
	return (
		<ul class="calls-job-list" aria-label="Calls in processing">
			{media.map((m) => {
				const tasks = answer.value?.media.find((p) => p.mediaId === m.mediaId)?.progress?.tasks ?? [];
				const step = tasks.find((t) => t.status === "started");
				return (
					<li key={m.mediaId}>
						<Name media={m} />
						<span>{step?.display ?? (m.status === "running" ? "running" : "waiting its turn")}</span>
						{step !== undefined && <progress max={100} value={step.percent} aria-label={`${nameOf(m)}: ${step.display}`} />}
						{step !== undefined && <span class="number">{Math.round(step.percent)} %</span>}
					</li>
				);
			})}
		</ul>
	);
}

function Broken({ media, again }: { media: Summary; again: () => void }) {
	const path = `v3/media/${part(media.mediaId)}`;
	const item = useAnswer(media.mediaId, (signal) => ask<Media>("GET", path, { signal, silent: true }));
	const retry = useChange(async () => {
		await ask("POST", path);
		say(`${nameOf(media)} is processed again.`);
		again();
	});
	const why = retry.failure?.message ?? item.failure?.message ?? item.value?.errors?.map((e) => `${e.error} (code ${e.code})`).join("; ");
	return (
		<li>
			<Name media={media} />
			<span class="problem">{why ?? (item.loading ? "Loading the reason…" : media.status)}</span>
			{may("media:write") && media.status === "failed" && (
				<button type="button" disabled={retry.busy} onClick={() => retry.run()}>
					<Icon name="again" size={16} /> Process again
				</button>
			)}
		</li>
	);
}
