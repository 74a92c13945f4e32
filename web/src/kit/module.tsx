// Scripts that are loaded when they are needed.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Loading } from "./section";

/** Loads a script once, and shows what children make of it. */
export function Load<M>({ what, load, children }: {
	what: string;
	load: () => Promise<M>;
	children: (module: M) => ComponentChildren;
}) {
	const [module, setModule] = useState<M>();
	const [failed, setFailed] = useState(false);
	const get = () => {
		setFailed(false);
		load().then((m) => setModule(() => m), () => setFailed(true));
	};
	useEffect(get, []);
	if (failed) {
		return (
			<div class="failed" role="alert">
				<p>Could not load {what}.</p>
				<button type="button" onClick={get}>
					Try again
				</button>
			</div>
		);
	}
	return <>{module === undefined ? <Loading what={what} /> : children(module)}</>;
}
