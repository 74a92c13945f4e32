package cipher

import (
	"errors"
	"io"

	"github.com/minio/sio"
)

// PackageBytes is the number of plain bytes in one package; the last one may have fewer.
const PackageBytes = payload

// Package decrypts the n-th package, from 0, of the size plain bytes that are stored under the key. It verifies that
// the stored bytes are the n-th package, and that no package after the last one is missing. A key must have encrypted
// one stream only: a package of another stream under the same key would be accepted. If Damaged reports true for the
// error, the stored bytes are corrupt.
func (k Key) Package(stored io.ReaderAt, size int64, n int) ([]byte, error) {
	from := int64(n) * PackageBytes
	if n < 0 || from >= size {
		return nil, io.EOF
	}
	plain := make([]byte, min(PackageBytes, size-from))
	if k == "" {
		return plain, readFull(io.NewSectionReader(stored, from, int64(len(plain))), plain)
	}
	config := k.config()
	config.SequenceNumber = uint32(n)
	source := io.NewSectionReader(stored, k.Size(from), k.Size(int64(len(plain))))
	r, err := sio.DecryptReader(source, config)
	if err != nil {
		return nil, damaged(err)
	}
	if err := readFull(checkedReader{r}, plain); err != nil {
		return nil, err
	}
	// sio reports the end only after a package that is marked as the last.
	var more [1]byte
	_, err = r.Read(more[:])
	if marked := err == io.EOF; marked != (from+int64(len(plain)) == size) {
		return nil, damaged(errLast)
	}
	return plain, nil
}

// errLast is the cause if the last package is not marked as the last, or another one is.
var errLast = errors.New("the packages end elsewhere")

// readFull fills p. Missing bytes are damage.
func readFull(r io.Reader, p []byte) error {
	_, err := io.ReadFull(r, p)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return damaged(io.ErrUnexpectedEOF)
	}
	return err
}

// Damaged reports whether an error of this package means that stored bytes are corrupt.
func Damaged(err error) bool {
	_, corrupt := errors.AsType[sio.Error](err)
	return corrupt || errors.Is(err, errLast) || errors.Is(err, io.ErrUnexpectedEOF)
}
