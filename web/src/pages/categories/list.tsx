// The saved categories, by collection.

import { ask, date, Empty, Heading, link, Show, useAnswer, useMemo, useState } from "kit";
import type { Categories, Category } from "../../kit/wire";

export function List() {
	const answer = useAnswer("categories", (signal) => ask<Categories>("GET", "v3/definition/categories", { query: { expand: true }, signal }));
	const [filter, setFilter] = useState("");
	return (
		<>
			<Heading title="Categories">
				<input type="search" aria-label="Find a category" placeholder="Find a category" value={filter} onInput={(e) => setFilter(e.currentTarget.value)} />
				<a class="button primary" href={link("categories/new")}>
					New category
				</a>
			</Heading>
			<Show answer={answer} what="the categories" lines={6}>
				{({ categories }) =>
					categories.length === 0 ? (
						<Empty icon="categories" title="No categories yet">
							<p>A category is a condition, such as words that an agent must say. Calls are judged by it, and can be counted.</p>
							<a class="button" href={link("categories/new")}>
								Make the first one
							</a>
						</Empty>
					) : (
						<Collections categories={categories} filter={filter.trim().toLowerCase()} />
					)
				}
			</Show>
		</>
	);
}

function Collections({ categories, filter }: { categories: readonly Category[]; filter: string }) {
	const found = useMemo(() => {
		const shown = categories.filter((c) => [c.categoryName, c.categoryDescription, c.query, ...(c.tags ?? [])].some((t) => t.toLowerCase().includes(filter)));
		return Map.groupBy(shown, (c) => c.collectionName ?? "");
	}, [categories, filter]);
	if (found.size === 0) return <Empty title="No category has this text." />;
	return (
		<>
			{[...found].sort(([a], [b]) => (a === "" ? 1 : b === "" ? -1 : a.localeCompare(b))).map(([collection, list]) => (
				<section class="section" aria-label={collection === "" ? "Without a collection" : collection}>
					{(collection !== "" || found.size > 1) && (
						<h2>
							<bdi>{collection === "" ? "Without a collection" : collection}</bdi>
						</h2>
					)}
					<div class="scroll-x">
						<table class="category-list">
							<thead>
								<tr>
									<th scope="col">Name</th>
									<th scope="col">Condition</th>
									<th scope="col">Tags</th>
									<th scope="col">Changed</th>
								</tr>
							</thead>
							<tbody>
								{list.map((c) => (
									<tr key={c.categoryName}>
										<th scope="row">
											<a href={link(["categories", c.categoryName])}>
												<bdi>{c.categoryName}</bdi>
											</a>
											<div class="quiet small">
												<bdi>{c.categoryDescription}</bdi>
											</div>
										</th>
										<td>
											<code class="clip" title={c.query}>
												{c.query}
											</code>
										</td>
										<td>
											{c.tags?.map((t) => (
												<span class="badge">
													<bdi>{t}</bdi>
												</span>
											))}
										</td>
										<td>{date(c.dateModified)}</td>
									</tr>
								))}
							</tbody>
						</table>
					</div>
				</section>
			))}
		</>
	);
}
