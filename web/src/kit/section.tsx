// Parts of a page, each with its own loading, empty and failed state.

import type { ComponentChildren } from "preact";
import type { Answer } from "./answer";
import type { Failure } from "./api";
import { Icon, type IconName } from "./icon";

/** What the server said when a request failed: its words, codes and reference, and a button to try again. */
export function Failed({ failure, again, what }: { failure: Failure; again?: () => void; what?: string }) {
	return (
		<div class="failed" role="alert">
			<Icon name="warn" />
			<div>
				{what !== undefined && <strong>{what}</strong>}
				{failure.problems.map((p) => (
					<p>
						{p.error} {p.code > 0 && <span class="code">code {p.code}</span>}
					</p>
				))}
				{failure.reference !== "" && <p class="quiet">Reference {failure.reference}</p>}
			</div>
			{again !== undefined && (
				<button type="button" onClick={again}>
					Try again
				</button>
			)}
		</div>
	);
}

/** What stands where something is being loaded. It says what. */
export function Loading({ what, lines = 1 }: { what: string; lines?: number }) {
	return (
		<div class="loading" role="status">
			<span class="quiet">Loading {what}…</span>
			{Array.from({ length: lines - 1 }, () => (
				<span class="bone" aria-hidden="true" />
			))}
		</div>
	);
}

/** What stands where there is nothing, and what can be done about it. */
export function Empty({ icon, title, children }: { icon?: IconName; title: string; children?: ComponentChildren }) {
	return (
		<div class="empty">
			{icon !== undefined && <Icon name={icon} size={28} />}
			<p class="empty-title">{title}</p>
			{children}
		</div>
	);
}

/**
 * Shows an answer: its loading state, its failure, or what children make of the value. While it is asked for again,
 * the earlier value stays, marked busy.
 */
export function Show<T>({ answer, what, lines, children }: {
	answer: Answer<T>;
	what: string;
	lines?: number;
	children: (value: T) => ComponentChildren;
}) {
	const { value, failure, loading, again } = answer;
	return (
		<>
			{failure !== undefined && <Failed failure={failure} again={again} what={`Could not load ${what}`} />}
			{value !== undefined && (
				<div class={loading ? "busy" : undefined} aria-busy={loading}>
					{children(value)}
				</div>
			)}
			{value === undefined && failure === undefined && loading && <Loading what={what} lines={lines} />}
		</>
	);
}

/** A titled part of a page. */
export function Section({ title, actions, children, id }: {
	title: string;
	actions?: ComponentChildren;
	children: ComponentChildren;
	id?: string;
}) {
	return (
		<section class="section" aria-label={title} id={id}>
			<header class="section-head">
				<h2>{title}</h2>
				{actions !== undefined && <div class="actions">{actions}</div>}
			</header>
			{children}
		</section>
	);
}

/** The heading of a page. */
export function Heading({ title, children, above }: { title: string; children?: ComponentChildren; above?: ComponentChildren }) {
	return (
		<header class="page-head">
			{above}
			<div class="page-head-row">
				<h1 tabIndex={-1}>
					<bdi>{title}</bdi>
				</h1>
				<div class="actions">{children}</div>
			</div>
		</header>
	);
}
