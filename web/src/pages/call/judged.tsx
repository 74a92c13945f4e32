// Categories, predictions and detections of the call.

import { may, share, useState } from "kit";
import { type Call, callsOf } from "./call";
import { Jumps } from "./jump";
import { byTime, distinct } from "./places";
import { WhyCategory } from "./why";

export function Categories({ call }: { call: Call }) {
	const [open, setOpen] = useState<string | null>(null);
	const all = call.item.categories ?? [];
	const explained = may("analytics") && may("definitions");
	return (
		<>
			{!explained && <p class="quiet small">Your key lacks the scope {may("analytics") ? "definitions" : "analytics"}, which is needed to say why.</p>}
			<ul class="entries">
				{[...all].sort((a, b) => b.categoryValue - a.categoryValue).map((c) => (
					<li class="entry">
						<div class="entry-head">
							<span class={c.categoryValue === 1 ? "badge good" : "badge"}>{c.categoryValue}</span>
							<bdi>{c.categoryName}</bdi>
							<a class="small" href={callsOf(`categories:"${c.categoryName}" = ${c.categoryValue}`)} aria-label={`Calls with ${c.categoryName} = ${c.categoryValue}`}>
								Calls
							</a>
							{explained && (
								<button
									type="button"
									class="text small"
									aria-expanded={open === c.categoryName}
									aria-label={`Why ${c.categoryValue === 1 ? "" : "not "}${c.categoryName}?`}
									onClick={() => setOpen(open === c.categoryName ? null : c.categoryName)}
								>
									{c.categoryValue === 1 ? "Why?" : "Why not?"}
								</button>
							)}
						</div>
						{c.categoryMatches !== undefined && (
							<Jumps
								call={call}
								places={c.categoryMatches
									.flatMap((m) => m.occurrences.map((o) => ({ s: o.s, e: o.e, speaker: m.speakerName, text: o.exact })))
									.sort(byTime)}
							/>
						)}
						{open === c.categoryName && <WhyCategory call={call} name={c.categoryName} />}
					</li>
				))}
			</ul>
		</>
	);
}

export function Predictions({ call }: { call: Call }) {
	const { classifiers = [], detectors = [] } = call.item.prediction ?? {};
	return (
		<ul class="entries">
			{classifiers.map((c) => (
				<li class="entry">
					<div class="entry-head">
						<bdi>{c.classifierDisplayName || c.classifierName}</bdi>
						<span class="badge"><bdi>{c.predictedClassLabel}</bdi></span>
						<span class="quiet small">
							probability {share(c.predictionScore)}, version {c.classifierVersion}
						</span>
						<a class="small" href={callsOf(`prediction:"${c.classifierName}" = ${c.predictedClass}`)} aria-label={`Calls that are ${c.predictedClassLabel}`}>
							Calls
						</a>
					</div>
				</li>
			))}
			{detectors.map((d) => (
				<li class="entry">
					<div class="entry-head">
						<bdi>{d.detectorDisplayName || d.detectorName}</bdi>
						<span class="quiet small">version {d.detectorVersion}</span>
					</div>
					{d.detections.length === 0 && <p class="quiet">Nothing found.</p>}
					{d.detections.map((found) => (
						<div class="detection">
							<bdi class="small">{found.detectorClassLabel}</bdi>
							<Jumps call={call} places={distinct(found.detectedSegments)} />
						</div>
					))}
				</li>
			))}
		</ul>
	);
}
