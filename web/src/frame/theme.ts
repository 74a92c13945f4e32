// Light or dark: as the system says, until somebody chooses. The choice is all that the pages keep in the browser.

import { effect, signal } from "kit";

export type Theme = "system" | "light" | "dark";

const key = "parley-theme";

function stored(): Theme {
	const text = localStorage.getItem(key);
	return text === "light" || text === "dark" ? text : "system";
}

export const theme = signal<Theme>(stored());

effect(() => {
	document.documentElement.style.colorScheme = theme.value === "system" ? "light dark" : theme.value;
	if (theme.value === "system") localStorage.removeItem(key);
	else localStorage.setItem(key, theme.value);
});

/** Whether dark colours are shown. */
export const dark = (): boolean =>
	theme.value === "dark" || (theme.value === "system" && matchMedia("(prefers-color-scheme: dark)").matches);

/** Changes to the other one of light and dark. */
export const toggle = (): void => {
	theme.value = dark() ? "light" : "dark";
};
