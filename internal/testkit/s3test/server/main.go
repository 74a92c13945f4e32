// Command server is the S3 server of package s3test: versitygw over a folder, each folder of which is a bucket. It is a
// module of its own because of the size of what it needs.
//
// Usage: server FOLDER ADDRESS, with the credentials in the environment, as clients have them.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/versity/versitygw/backend/meta"
	"github.com/versity/versitygw/backend/posix"
	"github.com/versity/versitygw/embedgw"
)

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(folder, address string) error {
	files, err := posix.New(folder, meta.XattrMeta{}, posix.PosixOpts{})
	if err != nil {
		return err
	}
	return embedgw.RunVersityGW(context.Background(), files, &embedgw.Config{
		RootUserAccess: os.Getenv("AWS_ACCESS_KEY_ID"), RootUserSecret: os.Getenv("AWS_SECRET_ACCESS_KEY"),
		Ports: []string{address}, MaxConnections: 1000, MaxRequests: 1000,
		MultipartMaxParts: 10000, KeepAlive: true, Quiet: true,
	})
}
