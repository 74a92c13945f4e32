#!/bin/sh
# Fuzzes every parser of untrusted input, each for the given time; default: one minute.
# Usage: fuzz.sh [TIME]
set -eu
time=${1:-60s}
grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u | while read -r dir; do
	grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$dir"/*_test.go | sed 's/func //' | while read -r name; do
		echo "== $dir $name"
		(cd "$dir" && ${GO:-go} test -run '^$' -fuzz "^$name\$" -fuzztime "$time" -fuzzminimizetime 5x . </dev/null)
	done
done
