// Deliveries: callbacks of all calls, failing receivers first, and sending them again.

import { adjust, Heading, type Route, Tabs, useState } from "kit";
import { Failing } from "./failing";
import { Log } from "./log";
import { Replay, type Wanted } from "./replay";
import { Secrets } from "./secrets";

export default function Deliveries({ route }: { route: Route }) {
	const tab = route.query.get("tab") === "secrets" ? "secrets" : "log";
	const [wanted, setWanted] = useState<Wanted | null>(null);
	const [round, setRound] = useState(0);
	return (
		<>
			<Heading title="Deliveries">
				<button type="button" onClick={() => setWanted({ status: "failed" })}>
					Send again…
				</button>
			</Heading>
			<Failing again={setWanted} round={round} />
			<Tabs
				id="deliveries"
				label="Deliveries"
				value={tab}
				choose={(t) => adjust({ tab: t === "log" ? undefined : t })}
				tabs={[{ key: "log", label: "All deliveries" }, { key: "secrets", label: "Signing secrets" }] as const}
			/>
			<div id="deliveries-panel" role="tabpanel" aria-labelledby={`deliveries-${tab}`} class="deliveries-panel">
				{tab === "log" ? <Log key={round} route={route} again={setWanted} /> : <Secrets />}
			</div>
			{wanted !== null && <Replay wanted={wanted} close={() => setWanted(null)} done={() => setRound((n) => n + 1)} />}
		</>
	);
}
