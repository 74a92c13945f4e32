#!/bin/sh
# Checks that need more than the go command: static analysis, known vulnerabilities, shell scripts, spelling.
# Usage: lint.sh [quick]    quick skips the checks that take longer than a few seconds
set -eu
go=${GO:-go}

# Tests misspell words on purpose, and testdata is data.
git ls-files '*.md' '*.go' '*.yaml' '*.sh' Makefile deploy .ci web/src | grep -v -e /testdata/ -e '_test\.go$' | xargs codespell
git ls-files '*.sh' .ci/run | xargs shellcheck
[ "${1:-}" != quick ] || exit 0

# The types of the pages. The compiler comes from npm; the build does not need it.
if command -v npm >/dev/null; then
	installed=web/node_modules/.package-lock.json
	if [ ! -f "$installed" ] || [ -n "$(find web/package-lock.json -newer "$installed")" ]; then
		npm ci --prefix web --no-audit --no-fund --ignore-scripts >/dev/null
	fi
	web/node_modules/.bin/tsc -p web
else
	echo "npm is missing; the types of the pages were not checked"
fi

$go tool staticcheck ./...
status=0
report=$($go tool govulncheck ./... 2>&1) || status=$?
case $status in
0) ;;
3) # it found vulnerabilities
	echo "$report" >&2
	exit 1
	;;
*)
	case $report in
	*"fetching vulnerabilities"*) echo "govulncheck: cannot reach the vulnerability database; vulnerabilities were not checked" ;;
	*)
		echo "$report" >&2
		exit 1
		;;
	esac
	;;
esac
