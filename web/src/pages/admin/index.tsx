// Admin: who may do what, what was done, what waits, and whether the server is well.

import { adjust, type FunctionComponent, Heading, Icon, may, type Route, Tabs } from "kit";
import { Audit } from "./audit";
import { Health } from "./health";
import { Keys } from "./keys";
import { Limits } from "./limits";
import { PublicKeys } from "./publickeys";
import { Queue } from "./queue";
import { Sessions } from "./sessions";
import { Usage } from "./usage";

interface Part {
	key: string;
	label: string;
	/** The scope without which it shows nothing. */
	scope?: string;
	Shown: FunctionComponent<{ route: Route }>;
}

const parts: readonly Part[] = [
	{ key: "keys", label: "Keys", scope: "keys", Shown: Keys },
	{ key: "sessions", label: "Sessions", scope: "keys", Shown: Sessions },
	{ key: "public-keys", label: "Public keys", scope: "keys", Shown: PublicKeys },
	{ key: "audit", label: "Audit log", scope: "admin", Shown: Audit },
	{ key: "usage", label: "Usage", scope: "analytics", Shown: Usage },
	{ key: "limits", label: "Limits and settings", scope: "media:read", Shown: Limits },
	{ key: "queue", label: "Queue", scope: "admin", Shown: Queue },
	{ key: "health", label: "Health", Shown: Health },
];

export default function Admin({ route }: { route: Route }) {
	const tab = parts.find((p) => p.key === route.query.get("tab")) ?? (parts[0] as Part);
	const allowed = tab.scope === undefined || may(tab.scope);
	return (
		<>
			<Heading title="Admin" />
			<Tabs id="admin" label="Parts of Admin" tabs={parts} value={tab.key} choose={(key) => adjust({ tab: key, after: undefined })} />
			<div id="admin-panel" role="tabpanel" aria-labelledby={`admin-${tab.key}`} class="admin-panel">
				{allowed ? <tab.Shown key={tab.key} route={route} /> : (
					<p class="notice">
						<Icon name="lock" /> Your key lacks the scope {tab.scope}, which this needs.
					</p>
				)}
			</div>
		</>
	);
}
