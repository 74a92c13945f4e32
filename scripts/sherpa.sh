#!/bin/sh
# Builds bin/parley-sherpa, which runs neural models with sherpa-onnx, and copies the two files of the library to
# bin/lib, where the program looks for them. Both can be copied to another machine together.
# Usage: sherpa.sh, in the folder of the project
set -eu

module=github.com/k2-fsa/sherpa-onnx-go-linux
case "$(uname -s)-$(uname -m)" in
Linux-x86_64) platform=x86_64-unknown-linux-gnu ;;
Linux-aarch64) platform=aarch64-unknown-linux-gnu ;;
*)
	echo "sherpa-onnx has libraries for Linux on x86_64 and aarch64, but not for $(uname -s) on $(uname -m)." >&2
	echo "Use a recognition service or a recogniser program of your own instead; see docs/engines.md." >&2
	exit 1
	;;
esac
go=${GO:-go}
root=$(pwd)
cd cmd/parley-sherpa
"$go" mod download "$module"
libraries=$("$go" list -m -f '{{.Dir}}' "$module")/lib/$platform
mkdir -p "$root/bin/lib"
for file in libsherpa-onnx-c-api.so libonnxruntime.so; do
	install -m 755 "$libraries/$file" "$root/bin/lib/$file"
done
# The tag stops the binding from adding the module cache to the library path.
CGO_ENABLED=1 CGO_LDFLAGS="-L$root/bin/lib -lsherpa-onnx-c-api -lonnxruntime -Wl,-rpath,\$ORIGIN/lib" \
	"$go" build -trimpath -tags musl -ldflags '-s -w' -o "$root/bin/parley-sherpa" .
"$root/bin/parley-sherpa" version >/dev/null
echo "built bin/parley-sherpa; \"bin/parley models list\" shows the models that it can run"
