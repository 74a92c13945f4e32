// The pages, in the order of the rail. To add one: a row here, a folder in pages.

import type { FunctionComponent, IconName, Route } from "kit";

/** What a page's script exports. */
export interface PageModule {
	default: FunctionComponent<{ route: Route }>;
}

export interface PageEntry {
	/** The beginning of its addresses, and the name of its folder and script. */
	name: string;
	title: string;
	icon: IconName;
	/** The scope without which it shows nothing. */
	scope: string;
	/** Whether it stands in the rail. */
	rail: boolean;
	load: () => Promise<PageModule>;
}

export const pages: readonly PageEntry[] = [
	{ name: "calls", title: "Calls", icon: "calls", scope: "analytics", rail: true, load: () => import("../pages/calls") },
	{ name: "call", title: "Call", icon: "calls", scope: "media:read", rail: false, load: () => import("../pages/call") },
	{ name: "upload", title: "Upload", icon: "upload", scope: "media:write", rail: true, load: () => import("../pages/upload") },
	{ name: "query", title: "Query", icon: "query", scope: "analytics", rail: true, load: () => import("../pages/query") },
	{ name: "categories", title: "Categories", icon: "categories", scope: "definitions", rail: true, load: () => import("../pages/categories") },
	{ name: "dashboards", title: "Dashboards", icon: "dashboards", scope: "analytics", rail: true, load: () => import("../pages/dashboards") },
	{ name: "deliveries", title: "Deliveries", icon: "deliveries", scope: "media:read", rail: true, load: () => import("../pages/deliveries") },
	{ name: "admin", title: "Admin", icon: "admin", scope: "keys", rail: true, load: () => import("../pages/admin") },
];

/** The entry of a name; undefined if there is none. */
export const entry = (name: string): PageEntry | undefined => pages.find((p) => p.name === name);
