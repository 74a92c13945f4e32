// The corner in which messages appear. It is read out as they come.

import { IconButton, said, unsay } from "kit";

export function Messages() {
	return (
		<div class="messages" role="log" aria-label="Messages">
			{said.value.map((s) => (
				<div key={s.id} class={s.bad ? "message bad" : "message"}>
					<span>{s.text}</span>
					{s.act !== undefined && (
						<button
							type="button"
							onClick={() => {
								s.act?.run();
								unsay(s.id);
							}}
						>
							{s.act.label}
						</button>
					)}
					<IconButton icon="close" label="Close the message" onClick={() => unsay(s.id)} />
				</div>
			))}
		</div>
	);
}
