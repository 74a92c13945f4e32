#!/bin/sh
# Runs the quick checks before each commit. "make hooks" installs it; "git commit --no-verify" skips it.
set -eu
cd "$(git rev-parse --show-toplevel)"
unformatted=$(git diff --cached --name-only --diff-filter=d -- '*.go' | xargs -r gofmt -l)
if [ -n "$unformatted" ]; then
	echo "unformatted files; run gofmt -w:" "$unformatted" >&2
	exit 1
fi
exec sh scripts/lint.sh quick
