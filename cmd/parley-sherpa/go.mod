module parley/cmd/parley-sherpa

go 1.26.0

require (
	github.com/k2-fsa/sherpa-onnx-go-linux v1.12.25
	parley v0.0.0
)

require (
	github.com/elastic/go-seccomp-bpf v1.6.0 // indirect
	golang.org/x/net v0.61.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace parley => ../..
