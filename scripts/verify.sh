#!/bin/sh
# Runs only the tests that call verify.Long.
# shellcheck disable=SC2046,SC2086 # lists of files and packages, whose names have no blanks
set -eu
marked=$(awk '/^func Test/ { split($2, name, "("); test = name[1] } /^\tverify\.Long\(t\)$/ { print FILENAME, test }' \
	$(find cmd internal -name '*_test.go'))
# The longest packages come first. The tests that kill servers take longest, and mostly wait: they run beside all others.
packages="./internal/testkit/soak $(printf '%s\n' "$marked" | sed 's|/[^/]*$||; s|^|./|' | sort -ru | grep -v '/soak$')"
tests=$(printf '%s\n' "$marked" | cut -d' ' -f2 | sort -u | paste -sd'|' -)
exec "${GO:-go}" tool gotestsum --format pkgname-and-test-fails --format-hide-empty-pkg -- -timeout=40m -p 3 -run "^($tests)\$" $packages
