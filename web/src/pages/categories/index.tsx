// Categories: the list, and each with its condition, back-test, past and trend.

import type { Route } from "kit";
import { CategoryPage } from "./category";
import { List } from "./list";

export default function Categories({ route }: { route: Route }) {
	const name = route.rest[0];
	if (name === undefined || name === "") return <List />;
	return <CategoryPage key={name} name={name === "new" ? null : name} route={route} />;
}
