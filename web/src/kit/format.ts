// Figures, times and dates as people read them, in the browser's language and time zone.

export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const day = new Intl.DateTimeFormat(undefined, { year: "numeric", month: "short", day: "numeric" });
const minute = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** 1234567 → "1,234,567" */
export const count = (n: number): string => whole.format(n);

/** (1, "call") → "1 call"; (2, "call") → "2 calls" */
export const counted = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

/** A share of 0 to 1 → "73 %"; small ones with a decimal. */
export function share(x: number): string {
	const percent = x * 100;
	return `${percent > 0 && percent < 10 ? percent.toFixed(1) : whole.format(percent)} %`;
}

/** Milliseconds → "4:07", "1:02:03" */
export function clock(ms: number): string {
	const all = Math.max(0, Math.floor(ms / 1000));
	const two = (n: number) => String(n).padStart(2, "0");
	const [h, m, s] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
	return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** Milliseconds → "3 h 2 min", "4 min", "12 s", for sentences and screen readers. */
export function span(ms: number): string {
	const s = Math.round(ms / 1000);
	if (s < 60) return `${s} s`;
	if (s < 3600) return `${Math.round(s / 60)} min`;
	return `${Math.floor(s / 3600)} h ${Math.round((s % 3600) / 60)} min`;
}

/** A time of the API → "Nov 25, 2026, 22:31" */
export const when = (time: string | number | Date): string => moment.format(new Date(time));

/** A time of the API → "Nov 25, 2026" */
export const date = (time: string | number | Date): string => day.format(new Date(time));

/** A time of the API → "22:31" */
export const time = (at: string | number | Date): string => minute.format(new Date(at));

/** Bytes → "1.2 MB" */
export function bytes(n: number): string {
	for (const [size, name] of [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]] as const) {
		if (n >= size) return `${(n / size).toFixed(n / size < 10 ? 1 : 0)} ${name}`;
	}
	return `${n} B`;
}

/** "agent-talk-ratio", "wordCount" → "Agent talk ratio", "Word count" */
export function words(name: string): string {
	const text = name.replace(/[-_]/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
	return text.charAt(0).toUpperCase() + text.slice(1);
}
