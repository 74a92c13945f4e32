// Finds a text in the transcript, and walks from one place to the next.

import { adjust, Icon, IconButton, useKeys, useMemo, useRef, useState } from "kit";
import { occurrences, type Stretch, type Words } from "./words";

/** The text that is looked for, where it is, and which place is looked at. */
export interface Found {
	text: string;
	list: Stretch[];
	at: number;
	go: (step: number) => void;
	look: (text: string) => void;
}

export function useFind(w: Words | null, text: string): Found {
	const list = useMemo(() => (w === null ? [] : occurrences(w, text)), [w, text]);
	const [looked, setLooked] = useState({ list, at: 0 });
	const at = looked.list === list ? looked.at : 0;
	return {
		text,
		list,
		at,
		go: (step) => list.length > 0 && setLooked({ list, at: (at + step + list.length) % list.length }),
		look: (next) => adjust({ find: next }, { replace: true }),
	};
}

export function Finder({ found }: { found: Found }) {
	const input = useRef<HTMLInputElement>(null);
	useKeys([{ key: "f", does: "Find in the transcript", run: () => input.current?.select() }]);
	const key = (e: KeyboardEvent) => {
		if (e.key === "Enter") found.go(e.shiftKey ? -1 : 1);
		else if (e.key === "Escape") (found.look(""), input.current?.blur());
		else return;
		e.preventDefault();
	};
	const some = found.list.length > 0;
	return (
		<div class="find" role="search">
			<Icon name="search" size={16} />
			<input
				ref={input}
				type="search"
				aria-label="Find in the transcript"
				placeholder="Find in the transcript"
				value={found.text}
				onInput={(e) => found.look(e.currentTarget.value)}
				onKeyDown={key}
			/>
			<span class="count" role="status">
				{found.text.trim() === "" ? "" : some ? `${found.at + 1} of ${found.list.length}` : "not found"}
			</span>
			<IconButton icon="up" label="Find the one before" disabled={!some} onClick={() => found.go(-1)} />
			<IconButton icon="down" label="Find the next" disabled={!some} onClick={() => found.go(1)} />
		</div>
	);
}
