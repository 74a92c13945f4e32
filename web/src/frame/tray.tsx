// The tray of uploads, which stays while one goes from page to page.

export function Tray() {
	return null;
}
