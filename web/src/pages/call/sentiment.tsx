// How the speakers feel, sentence by sentence.

import { clock, useMemo } from "kit";
import { type Call, colour, jump } from "./call";
import { Jump } from "./jump";
import { stretches, textOf } from "./words";

const width = 400;
const height = 120;

export function Sentiment({ call }: { call: Call }) {
	const all = call.item.speakerSentiments ?? [];
	const length = Math.max(1, call.length);
	const x = (ms: number) => (ms / length) * width;
	const y = (v: number) => ((1 - v) / 2) * (height - 8) + 4;
	const speaker = (name: string) => Math.max(0, call.words?.speakers.indexOf(name) ?? 0);
	const rows = useMemo(
		() =>
			all
				.flatMap((s) => s.sentimentValues.filter((v) => v.v !== 0).map((v) => ({ ...v, name: s.speakerName })))
				.sort((a, b) => a.s - b.s)
				.map((r) => ({ ...r, text: call.words === null ? "" : textOf(call.words, stretches(call.words, r.s, r.e, r.name)) })),
		[call],
	);
	return (
		<>
			<ul class="key-list" aria-label="Speakers">
				{all.map((s) => (
					<li class={colour(speaker(s.speakerName))}>
						<i class="swatch" aria-hidden="true" /> <bdi>{s.speakerName || "Speaker"}</bdi>{" "}
						<span class="quiet">mean {mean(s.sentimentValues).toFixed(2)}</span>
					</li>
				))}
			</ul>
			<svg class="curve" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label="Sentiment over the call, as in the table below">
				<line x1="0" x2={width} y1={y(0)} y2={y(0)} class="zero" />
				{all.map((s) => (
					<g class={colour(speaker(s.speakerName))}>
						<polyline points={smooth(s.sentimentValues).map((p) => `${x(p.ms).toFixed(1)},${y(p.v).toFixed(1)}`).join(" ")} vector-effect="non-scaling-stroke" />
						{s.sentimentValues.filter((v) => v.v !== 0).map((v) => (
							<rect x={x(v.s)} y={y(Math.max(v.v, 0))} width={Math.max(1.5, x(v.e) - x(v.s))} height={Math.abs(y(v.v) - y(0))} onClick={() => jump(call, v.s)}>
								<title>{`${clock(v.s)} ${s.speakerName}: ${v.v.toFixed(2)}`}</title>
							</rect>
						))}
					</g>
				))}
			</svg>
			<div class="scroll-x" tabIndex={0} role="region" aria-label="Sentences">
				<table>
					<thead>
						<tr>
							<th>When</th>
							<th class="number">Score</th>
							<th>Sentence</th>
						</tr>
					</thead>
					<tbody>
						{rows.map((r) => (
							<tr>
								<td>
									<Jump call={call} s={r.s} e={r.e} speaker={r.name} />
								</td>
								<td class={r.v < 0 ? "number negative" : "number"}>{signed(r.v)}</td>
								<td>
									<bdi>{r.text}</bdi>
								</td>
							</tr>
						))}
					</tbody>
				</table>
			</div>
			{rows.length === 0 && <p class="quiet">No sentence carries a sentiment.</p>}
		</>
	);
}

const signed = (v: number): string => (v > 0 ? `+${v.toFixed(2)}` : `−${Math.abs(v).toFixed(2)}`);

const mean = (list: { v: number }[]): number => (list.length === 0 ? 0 : list.reduce((sum, x) => sum + x.v, 0) / list.length);

/** The moving mean of five sentences. */
function smooth(list: { s: number; e: number; v: number }[]): { ms: number; v: number }[] {
	return list.map((p, i) => ({ ms: (p.s + p.e) / 2, v: mean(list.slice(Math.max(0, i - 2), i + 3)) }));
}
