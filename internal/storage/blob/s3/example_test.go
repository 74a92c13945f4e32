package s3_test

import (
	"fmt"

	"parley/internal/storage/blob/s3"
)

func ExampleOpen() {
	_, err := s3.Open("s3://recordings/parley?region=eu-central-1")
	fmt.Println(err)
	_, err = s3.Open("s3://recordings?zone=eu")
	fmt.Println(err)
	// Output:
	// <nil>
	// invalid address of the blob store: unknown parameter "zone"; the parameters are region, endpoint and path_style
}
