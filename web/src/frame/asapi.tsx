// "As API": the requests that the page has made, as commands for a shell.

import { Copy, curl, Dialog, Empty, noted } from "kit";

export function AsAPI({ close }: { close: () => void }) {
	const list = noted.value;
	return (
		<Dialog title="This page as requests of the API" close={close} wide>
			<p class="quiet">
				Everything on this page is an answer of the API. Set <code>TOKEN</code> to a key of yours;{" "}
				<a href="../docs" target="_blank" rel="noopener">
					the reference
				</a>{" "}
				has all requests.
			</p>
			{list.length === 0 && <Empty title="The page has made no requests yet." />}
			<ol class="commands">
				{list.toReversed().map((n) => (
					<li>
						<pre tabIndex={0}>{curl(n)}</pre>
						<Copy text={() => curl(n)} />
					</li>
				))}
			</ol>
		</Dialog>
	);
}
