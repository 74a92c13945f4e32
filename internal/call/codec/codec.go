// Package codec encodes plans, definitions, transcripts and results for storage, in one compact binary format. Each
// kind of record has its own version, and old versions stay readable forever.
//
// It does not store records; packages store and blob do. The JSON of the API is in package wire.
//
// A record is the two letters "pr", one letter for its kind, the version as an unsigned varint, and a zstd frame with a
// checksum. Golden files of every version are in testdata.
package codec

import (
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

const magic = "pr"

// kind is the letter that identifies a kind of record.
type kind byte

const (
	transcriptKind kind = 't'
	resultKind     kind = 'r'
	sourceKind     kind = 's'
	vocabularyKind kind = 'v'
	groupKind      kind = 'g'
	fieldsKind     kind = 'f'
	categoryKind   kind = 'c'
	trainingKind   kind = 'x' // examples of a classifier
	cardKind       kind = 'k' // metadata of a classifier
	modelKind      kind = 'm'
	queryKind      kind = 'q'
	presetKind     kind = 'p'
	dashboardKind  kind = 'd'
)

var kindNames = map[kind]string{
	transcriptKind: "transcript", resultKind: "result", sourceKind: "plan", vocabularyKind: "vocabulary",
	groupKind: "keyword group", fieldsKind: "search fields", categoryKind: "category", trainingKind: "training set",
	cardKind: "classifier", modelKind: "model", queryKind: "query", presetKind: "preset", dashboardKind: "dashboard",
}

func (k kind) String() string { return kindNames[k] }

// maxSize bounds the decompressed size of a record, in bytes. The words of an 8 h call take about 2 MB.
const maxSize = 64 << 20

// NewerError is the error for a record that a newer version of the program wrote.
type NewerError struct {
	Kind           string // such as "transcript"
	Version, Known int    // version of the record, and the newest that this program reads
}

// Error returns a message that says what to do.
func (e *NewerError) Error() string {
	return fmt.Sprintf("%s record has format %d, but this program reads only up to %d; start a newer version of it",
		e.Kind, e.Version, e.Known)
}

// Codec encodes and decodes records. It is safe for concurrent use.
type Codec struct {
	packer   *zstd.Encoder
	unpacker *zstd.Decoder
}

func New() (*Codec, error) {
	packer, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithWindowSize(1<<20))
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	unpacker, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxSize))
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	return &Codec{packer, unpacker}, nil
}

// seal compresses the content and prepends the header.
func (c *Codec) seal(k kind, version int, content []byte) []byte {
	header := append([]byte(magic), byte(k))
	header = binary.AppendUvarint(header, uint64(version))
	return c.packer.EncodeAll(content, header)
}

// open checks the header, whose version must be at most known, and returns the content.
func (c *Codec) open(k kind, known int, data []byte) ([]byte, error) {
	if len(data) < len(magic)+1 || string(data[:len(magic)]) != magic || kind(data[len(magic)]) != k {
		return nil, fmt.Errorf("the data is not a %s record", k)
	}
	data = data[len(magic)+1:]
	version, n := binary.Uvarint(data)
	if n <= 0 || version == 0 || version > 1<<20 {
		return nil, fmt.Errorf("%s record has a corrupt header", k)
	}
	if int(version) > known {
		return nil, &NewerError{k.String(), int(version), known}
	}
	content, err := c.unpacker.DecodeAll(data[n:], nil)
	if err != nil {
		return nil, fmt.Errorf("decompress %s record: %w", k, err)
	}
	return content, nil
}

// sealJSON is seal for content stored as JSON.
func (c *Codec) sealJSON(k kind, version int, content any) []byte {
	data, err := json.Marshal(content)
	if err != nil {
		panic(err) // unreachable: texts and finite numbers are always valid JSON
	}
	return c.seal(k, version, data)
}

// openJSON is the inverse of sealJSON.
func openJSON[T any](c *Codec, k kind, known int, data []byte) (content T, err error) {
	text, err := c.open(k, known, data)
	if err != nil {
		return content, err
	}
	err = json.Unmarshal(text, &content)
	return content, err
}

// Size returns an upper bound of the size of a record's content in bytes. It does not report corrupt records; decoding
// does.
func Size(data []byte) int64 {
	_, n := binary.Uvarint(data[min(len(magic)+1, len(data)):])
	var frame zstd.Header
	packed := data[min(len(magic)+1+max(n, 0), len(data)):]
	if len(packed) == 0 {
		return 0
	}
	if err := frame.Decode(packed); err != nil || !frame.HasFCS {
		return maxSize
	}
	return int64(min(frame.FrameContentSize, maxSize))
}
