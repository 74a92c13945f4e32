// Pictures of the one sprite, icons.svg.

/** The names of the pictures. */
export type IconName =
	| "calls"
	| "upload"
	| "query"
	| "categories"
	| "dashboards"
	| "deliveries"
	| "admin"
	| "play"
	| "pause"
	| "search"
	| "close"
	| "check"
	| "more"
	| "down"
	| "up"
	| "left"
	| "right"
	| "copy"
	| "link"
	| "download"
	| "warn"
	| "info"
	| "lock"
	| "sun"
	| "moon"
	| "code"
	| "help"
	| "out"
	| "plus"
	| "trash"
	| "edit"
	| "again"
	| "menu"
	| "filter"
	| "file"
	| "clock"
	| "star"
	| "mute"
	| "sound"
	| "drag"
	| "minus";

/** A picture beside a word. Alone on a button, the button has a label. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
	return (
		<svg class="icon" width={size} height={size} aria-hidden="true" focusable="false">
			<use href={`icons.svg#${name}`} />
		</svg>
	);
}
