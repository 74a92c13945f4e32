// Files that are dropped anywhere on the pages go to Upload.

export function Drop() {
	return null;
}
