// A long list of rows of one height, of which only those on screen are in the document.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/**
 * Renders the rows that are on screen in the page's scroll area, and space for the others. The list has role rowgroup;
 * each row says its place, so that screen readers know the length.
 */
export function Rows<T>({ items, height, row, label, near }: {
	items: readonly T[];
	/** Of a row, in pixels. */
	height: number;
	row: (item: T, index: number) => ComponentChildren;
	label: string;
	/** Called when the end comes near. */
	near?: () => void;
}) {
	const box = useRef<HTMLDivElement>(null);
	const [range, setRange] = useState<[number, number]>([0, 40]);
	const called = useRef(near);
	called.current = near;
	useEffect(() => {
		let asked = 0;
		const measure = () => {
			asked = 0;
			if (box.current === null) return;
			const above = -box.current.getBoundingClientRect().top;
			const first = Math.max(0, Math.floor(above / height) - 10);
			const last = Math.min(items.length, Math.ceil((above + innerHeight) / height) + 10);
			setRange(([a, b]) => (a === first && b === last ? [a, b] : [first, last]));
			if (items.length - last < 20) called.current?.();
		};
		const later = () => {
			asked ||= requestAnimationFrame(measure);
		};
		measure();
		addEventListener("scroll", later, { passive: true, capture: true });
		addEventListener("resize", later);
		return () => {
			cancelAnimationFrame(asked);
			removeEventListener("scroll", later, { capture: true });
			removeEventListener("resize", later);
		};
	}, [items.length, height]);
	const [first, last] = range;
	return (
		<div class="rows" ref={box} role="list" aria-label={label} style={{ height: `${items.length * height}px` }}>
			{items.slice(first, last).map((item, i) => (
				<div
					role="listitem"
					aria-setsize={items.length}
					aria-posinset={first + i + 1}
					class="rows-row"
					key={first + i}
					style={{ height: `${height}px`, transform: `translateY(${(first + i) * height}px)` }}
				>
					{row(item, first + i)}
				</div>
			))}
		</div>
	);
}
