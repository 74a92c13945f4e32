// Dashboards: tiles of statements over one period and zone, compared with the period before.

import { adjust, ask, Empty, Heading, link, may, type Route, Show, useAnswer, useState } from "kit";
import type { Dashboard, Dashboards } from "../../kit/wire";
import { EditTiles } from "./edit";
import { before, type Period, Periods, periodOf } from "./period";
import { Tile } from "./tile";

export default function DashboardsPage({ route }: { route: Route }) {
	const answer = useAnswer("dashboards", (signal) => ask<Dashboards>("GET", "v3/definition/dashboards", { signal }));
	if (!may("definitions")) return <Lacking />;
	return (
		<>
			{answer.value === undefined && <Heading title="Dashboards" />}
			<Show answer={answer} what="the dashboards" lines={4}>
				{({ dashboards }) => <Board dashboards={dashboards} route={route} changed={answer.again} />}
			</Show>
		</>
	);
}

function Lacking() {
	return (
		<>
			<Heading title="Dashboards" />
			<Empty icon="lock" title="Your key lacks the scope definitions, which dashboards need." />
		</>
	);
}

function Board({ dashboards, route, changed }: { dashboards: readonly Dashboard[]; route: Route; changed: () => void }) {
	const name = route.rest[0] ?? dashboards[0]?.dashboardName ?? "";
	const shown = dashboards.find((d) => d.dashboardName === name);
	const period = periodOf(route.query);
	const [editing, setEditing] = useState(false);
	return (
		<>
			<Heading title={shown?.title ?? shown?.dashboardName ?? "Dashboards"}>
				<Periods period={period} change={adjust} />
				<button type="button" onClick={() => setEditing(true)}>
					{shown?.builtin === true ? "Make a copy…" : "Edit…"}
				</button>
			</Heading>
			<nav class="tabs" aria-label="Dashboards">
				{dashboards.map((d) => (
					<a href={link(["dashboards", d.dashboardName], period.as)} aria-current={d.dashboardName === name ? "page" : undefined}>
						<bdi>{d.title ?? d.dashboardName}</bdi>
					</a>
				))}
			</nav>
			{shown === undefined ? <Empty title="There is no such dashboard." /> : <Tiles key={name} board={shown} period={period} />}
			{editing && <EditTiles board={shown} close={() => setEditing(false)} changed={changed} />}
		</>
	);
}

function Tiles({ board, period }: { board: Dashboard; period: Period }) {
	if (board.tiles.length === 0) {
		return <Empty title="There is nothing on it yet">{board.builtin === true && <p>It shows your categories as soon as there are some.</p>}</Empty>;
	}
	return (
		<div class="tiles">
			{board.tiles.map((t, i) => (
				<Tile key={`${i} ${t.statement}`} tile={t} period={period} former={before(period)} />
			))}
		</div>
	);
}
