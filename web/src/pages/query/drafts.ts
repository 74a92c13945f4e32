// Statements that are being written, by the name of the query; "" is the new one. They stay while the tab is open.

import type { SavedQuery } from "../../kit/wire";

export type Named = SavedQuery & { query: string };

export const drafts = new Map<string, string>();
