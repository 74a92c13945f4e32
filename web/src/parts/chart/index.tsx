// Charts over time: lines or bars, each also as a table.

import { count, date, useEffect, useRef, useState } from "kit";
import uPlot from "uplot";

export interface Series {
	label: string;
	/** A value for each time; null where there is none. */
	values: (number | null)[];
	/** Which of the speakers' colours, from 1. */
	colour: number;
	/** A line without a filled area that shows an earlier period. */
	faint?: boolean;
}

export interface ChartProps {
	label: string;
	/** Times, in milliseconds since 1970, ascending. */
	times: number[];
	series: Series[];
	kind: "lines" | "bars";
	/** Writes a value. */
	format?: (value: number) => string;
	/** Called with the index of the time that was clicked, or chosen with Enter. */
	pick?: (index: number) => void;
	height?: number;
}

/** A colour of the style sheet, as the canvas needs it. */
function colour(name: string, of: Element): string {
	const probe = document.createElement("span");
	probe.style.color = `var(${name})`;
	of.append(probe);
	const text = getComputedStyle(probe).color;
	probe.remove();
	return text;
}

export function Chart(props: ChartProps) {
	const { label, times, series, kind, format = count, pick, height = 220 } = props;
	const host = useRef<HTMLDivElement>(null);
	const latest = useRef(props);
	latest.current = props;
	const [table, setTable] = useState(false);
	const [theme, setTheme] = useState(0);
	useEffect(() => {
		const dark = matchMedia("(prefers-color-scheme: dark)");
		const again = () => setTheme((n) => n + 1);
		const watch = new MutationObserver(again);
		watch.observe(document.documentElement, { attributeFilter: ["style"] });
		dark.addEventListener("change", again);
		return () => {
			watch.disconnect();
			dark.removeEventListener("change", again);
		};
	}, []);
	useEffect(() => {
		const box = host.current;
		if (box === null || table) return;
		const plot = new uPlot(options(box, props, format, height), data(times, series), box);
		const resize = new ResizeObserver(() => plot.setSize({ width: Math.max(200, box.clientWidth), height }));
		resize.observe(box);
		const click = () => plot.cursor.idx != null && latest.current.pick?.(plot.cursor.idx);
		plot.over.addEventListener("click", click);
		return () => {
			resize.disconnect();
			plot.destroy();
		};
	}, [times, series, kind, table, theme, height]);
	return (
		<figure class="chart" aria-label={label}>
			{!table && <div ref={host} class={pick === undefined ? "chart-plot" : "chart-plot pick"} aria-hidden="true" />}
			{table && <Numbers {...props} format={format} />}
			<button type="button" class="text small" aria-pressed={table} onClick={() => setTable(!table)}>
				{table ? "As chart" : "As table"}
			</button>
		</figure>
	);
}

function data(times: number[], series: Series[]): uPlot.AlignedData {
	return [times.map((t) => t / 1000), ...series.map((s) => s.values)] as uPlot.AlignedData;
}

function options(box: Element, { series, kind }: ChartProps, format: (v: number) => string, height: number): uPlot.Options {
	const [line, ink] = [colour("--line", box), colour("--quiet", box)];
	const bars = uPlot.paths.bars?.({ size: [0.7, 40] });
	const axis = { stroke: ink, font: "12px system-ui", grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
	return {
		width: Math.max(200, box.clientWidth),
		height,
		legend: { show: series.length > 1 },
		cursor: { y: false, points: { show: kind === "lines" } },
		scales: { y: { range: (_, min, max) => [Math.min(0, min ?? 0), Math.max(max ?? 1, 0.0001) * 1.05] } },
		axes: [axis, { ...axis, size: 72, values: (_, ticks) => ticks.map(format) }],
		series: [
			{ value: (_, t) => (t == null ? "–" : date(t * 1000)) },
			...series.map((s): uPlot.Series => {
				const stroke = colour(`--speaker-${s.colour}`, box);
				const value = (_: uPlot, v: number | null) => (v == null ? "–" : format(v));
				if (kind === "bars" && !s.faint) return { label: s.label, value, stroke, fill: stroke, width: 0, paths: bars, points: { show: false } };
				return { label: s.label, value, stroke, width: s.faint ? 1 : 2, dash: s.faint ? [4, 4] : undefined, points: { show: false }, spanGaps: true };
			}),
		],
	};
}

function Numbers({ times, series, format, pick, label }: ChartProps & { format: (v: number) => string }) {
	return (
		<div class="scroll-x" tabIndex={0} role="region" aria-label={`${label}, as table`}>
			<table>
				<thead>
					<tr>
						<th scope="col">Time</th>
						{series.map((s) => (
							<th scope="col" class="number">
								<bdi>{s.label}</bdi>
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{times.map((t, i) => (
						<tr>
							<th scope="row">
								{pick === undefined ? date(t) : (
									<button type="button" class="text" onClick={() => pick(i)}>
										{date(t)}
									</button>
								)}
							</th>
							{series.map((s) => {
								const v = s.values[i];
								return <td class="number">{v == null ? "–" : format(v)}</td>;
							})}
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}
