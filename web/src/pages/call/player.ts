// Plays a call: an audio element, and channels that can be muted.

import { signal } from "kit";

/** How much it goes back when playing goes on after a pause, in milliseconds. */
const stepBack = 1000;

export class Player {
	readonly playing = signal(false);
	readonly rate = signal(1);
	readonly volume = signal(1);
	/** Why there is no sound; null if there may be some. */
	readonly broken = signal<string | null>("");
	/** The channels that are not heard. */
	readonly muted = signal<ReadonlySet<number>>(new Set());
	private readonly audio = document.createElement("audio");
	private readonly listeners = new Set<(ms: number) => void>();
	private pausedAt = -1;
	private frame = 0;
	private stopAt = Infinity;
	private place = 0; // without sound, the position is ours
	private context?: AudioContext;
	private gains: GainNode[][] = [];

	constructor(readonly length: number) {
		const a = this.audio;
		a.preload = "metadata";
		a.className = "call-audio";
		document.body.append(a); // so that the browser's tools and extensions find it
		a.addEventListener("play", () => ((this.playing.value = true), this.watch()));
		a.addEventListener("pause", () => ((this.playing.value = false), (this.pausedAt = this.now()), this.tell()));
		a.addEventListener("seeking", () => this.tell());
		a.addEventListener("seeked", () => this.tell());
		a.addEventListener("error", () => {
			if (a.hasAttribute("src")) this.broken.value = a.error?.message || "The browser cannot play the recording.";
		});
	}

	/** Uses a stream. Null says that there is none. */
	load(address: string | null, why = "The recording has no sound that can be played."): void {
		if (address === null) {
			this.broken.value = why;
			return;
		}
		this.broken.value = null;
		this.audio.src = address;
		if (this.place > 0) this.audio.currentTime = this.place / 1000;
	}

	get audible(): boolean {
		return this.broken.value === null;
	}

	/** The position, in milliseconds: that of the audio clock. */
	now(): number {
		return this.broken.peek() === null ? this.audio.currentTime * 1000 : this.place;
	}

	seek(ms: number): void {
		this.place = Math.min(Math.max(0, ms), this.length);
		this.pausedAt = -1;
		this.stopAt = Infinity;
		if (this.audio.hasAttribute("src")) this.audio.currentTime = this.place / 1000;
		this.tell();
	}

	/** Plays on, a second before the place where it was paused. */
	play(): void {
		if (!this.audible) return;
		const at = this.now();
		if (at === this.pausedAt) this.audio.currentTime = Math.max(0, at - stepBack) / 1000;
		if (at >= this.length - 50) this.audio.currentTime = 0;
		void this.context?.resume();
		this.audio.play().catch((err: Error) => {
			if (err.name !== "AbortError") this.broken.value = err.message;
		});
	}

	/** Plays from a place, and up to another. */
	playFrom(ms: number, until = Infinity): void {
		this.seek(ms);
		this.stopAt = until;
		this.play();
	}

	pause(): void {
		this.audio.pause();
	}

	toggle(): void {
		if (this.playing.value) this.pause();
		else this.play();
	}

	setRate(rate: number): void {
		this.rate.value = this.audio.playbackRate = this.audio.defaultPlaybackRate = rate;
	}

	setVolume(volume: number): void {
		this.volume.value = this.audio.volume = volume;
	}

	/** Calls a function before each frame while it plays, and when the position changes. Returns what ends it. */
	follow(f: (ms: number) => void): () => void {
		this.listeners.add(f);
		f(this.now());
		return () => this.listeners.delete(f);
	}

	/** Leaves out channels. What is left is heard on both sides. */
	mute(muted: ReadonlySet<number>, channels: number): void {
		this.muted.value = muted;
		if (this.context === undefined) {
			if (muted.size === 0) return;
			this.wire(channels);
		}
		void this.context?.resume();
		const heard = channels - muted.size;
		this.gains.forEach((sides, channel) =>
			sides.forEach((gain, side) => {
				const whole = channels === 2 && muted.size === 0 ? Number(side === channel) : heard > 0 ? 1 / Math.sqrt(heard) : 0;
				gain.gain.value = muted.has(channel) ? 0 : whole;
			}),
		);
	}

	end(): void {
		cancelAnimationFrame(this.frame);
		this.listeners.clear();
		this.audio.pause();
		this.audio.removeAttribute("src");
		this.audio.load(); // ends the transfer
		void this.context?.close();
		this.audio.remove();
	}

	/** Puts a gain between each channel and each ear. The element keeps the clock, so seeking stays as exact as it is. */
	private wire(channels: number): void {
		const context = (this.context = new AudioContext());
		const splitter = context.createChannelSplitter(channels);
		const merger = context.createChannelMerger(2);
		context.createMediaElementSource(this.audio).connect(splitter);
		this.gains = Array.from({ length: channels }, (_, channel) =>
			[0, 1].map((side) => {
				const gain = context.createGain();
				splitter.connect(gain, channel);
				gain.connect(merger, 0, side);
				return gain;
			}),
		);
		merger.connect(context.destination);
	}

	private watch(): void {
		cancelAnimationFrame(this.frame);
		const look = () => {
			if (!this.playing.peek()) return;
			this.tell();
			if (this.now() >= this.stopAt) this.pause();
			else this.frame = requestAnimationFrame(look);
		};
		this.frame = requestAnimationFrame(look);
	}

	private tell(): void {
		const at = this.now();
		for (const f of this.listeners) f(at);
	}
}
