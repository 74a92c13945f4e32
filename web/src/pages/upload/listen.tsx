// Five seconds of one side of a recording, before it is sent: who is left and who is right?

import { Icon, useEffect, useRef, useState } from "kit";

const seconds = 5;
const head = 8 << 20; // bytes that are read of a file

export function Listen({ file, side, label }: { file: File; side: "left" | "right"; label: string }) {
	const [state, setState] = useState<"idle" | "loading" | "playing" | string>("idle");
	const playing = useRef<{ stop: () => void } | null>(null);
	useEffect(() => () => playing.current?.stop(), []);
	const listen = async () => {
		if (state === "playing") {
			playing.current?.stop();
			return;
		}
		setState("loading");
		const context = new AudioContext();
		try {
			const sound = await context.decodeAudioData(await file.slice(0, head).arrayBuffer());
			const channel = side === "left" ? 0 : 1;
			if (sound.numberOfChannels <= channel) throw new Error("one channel");
			const samples = voiced(sound.getChannelData(channel), sound.sampleRate);
			const part = context.createBuffer(1, samples.length, sound.sampleRate);
			part.copyToChannel(samples, 0);
			const source = new AudioBufferSourceNode(context, { buffer: part });
			source.connect(context.destination);
			source.onended = () => {
				context.close();
				setState("idle");
			};
			playing.current = { stop: () => source.stop() };
			source.start();
			setState("playing");
		} catch (err) {
			context.close();
			const mono = err instanceof Error && err.message === "one channel";
			setState(mono ? "The file has one channel: voices are told apart." : "This browser cannot play the format.");
		}
	};
	const said = !["idle", "loading", "playing"].includes(state);
	return (
		<span class="listen">
			<button type="button" onClick={listen} disabled={state === "loading"} aria-pressed={state === "playing"}>
				<Icon name={state === "playing" ? "pause" : "play"} size={16} /> {label}
			</button>
			{said && (
				<span class="hint" role="status">
					{state}
				</span>
			)}
		</span>
	);
}

/** The five seconds from where somebody begins to speak. */
function voiced(samples: Float32Array<ArrayBuffer>, rate: number): Float32Array<ArrayBuffer> {
	const step = Math.round(rate / 20);
	const length = seconds * rate;
	for (let i = 0; i + length < samples.length; i += step) {
		let sum = 0;
		for (let j = i; j < i + step; j++) sum += (samples[j] ?? 0) ** 2;
		if (Math.sqrt(sum / step) > 0.02) return samples.slice(i, i + length);
	}
	return samples.slice(0, length);
}
