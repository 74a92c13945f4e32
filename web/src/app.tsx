// The frame, and the kit that the pages' scripts import from here.

import { render } from "kit";
import { Frame } from "./frame/frame";

export * from "kit";

const app = document.getElementById("app");
if (app !== null) {
	app.replaceChildren();
	render(<Frame />, app);
}
