#!/bin/sh
# Installs missing packages on Debian and Ubuntu; on other systems, lists what to install.
# Usage: setup.sh run|test|lint|sherpa
set -eu

missing=""
need_program() { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }
need_file() {
	file=$1 package=$2
	for f in $file; do [ -e "$f" ] && return; done
	missing="$missing $package"
}

need_compiler() {
	need_program gcc gcc
	need_file "/usr/include/stdlib.h" libc6-dev
}

case ${1:-run} in
sherpa) need_compiler ;;
lint)
	need_program shellcheck shellcheck
	need_program codespell codespell
	;;
*)
	need_program ffmpeg ffmpeg
	need_file "/usr/lib/*/libpocketsphinx.so.3 /usr/lib/libpocketsphinx.so.3 /usr/local/lib/libpocketsphinx.so.3" libpocketsphinx3
	need_file "/usr/share/pocketsphinx/model/en-us/en-us" pocketsphinx-en-us
	;;
esac
if [ "${1:-run}" = test ]; then
	need_compiler
	need_file "/usr/lib/postgresql/*/bin/initdb" postgresql
	need_program bzip2 bzip2
	need_program chromium chromium
	need_program flite flite
	need_program gpg gnupg
	need_program espeak-ng espeak-ng
	need_program python3 python3
	need_program xmllint libxml2-utils
	need_program praat praat
	need_program nginx nginx-light
	need_program haproxy haproxy
	need_program pgbouncer pgbouncer
	need_program jq jq
fi
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
	cat >&2 <<-END
	Missing:$missing
	These are Debian packages, and this system has no apt-get. Install the equivalents:
	  ffmpeg              https://ffmpeg.org, the programs ffmpeg and ffprobe on the PATH
	  libpocketsphinx3    PocketSphinx 5prealpha as a shared library, libpocketsphinx.so.3
	  pocketsphinx-en-us  its US English model in /usr/share/pocketsphinx/model/en-us
	  gcc, libc6-dev      a C compiler (neural models; tests with the race detector)
	  postgresql          initdb and postgres (tests)
	  bzip2               compresses archives of models (tests)
	  chromium            a headless browser (tests)
	  flite, espeak-ng    speech synthesisers (tests)
	  gnupg               decrypts messages (tests)
	  python3             the example engine (tests)
	  libxml2-utils       xmllint (tests)
	  praat               a phonetics program (tests)
	  nginx-light         the reverse proxy of docs/deployment.md (tests)
	  haproxy, pgbouncer  the load balancer and the pooler of docs/deployment.md (tests)
	  jq                  reads JSON in examples (tests)
	  shellcheck          checks of shell scripts (lint)
	  codespell           a spell checker (lint)
	END
	exit 1
fi

sudo=""
if [ "$(id -u)" != 0 ]; then
	command -v sudo >/dev/null 2>&1 || { echo "Missing:$missing. Run as root: apt-get install$missing" >&2; exit 1; }
	sudo=sudo
fi
echo "Installing:$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086 # a list of packages
install() { $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing >"$log" 2>&1; }
install || { $sudo apt-get update >"$log" 2>&1 && install; } || { cat "$log" >&2; exit 1; }
