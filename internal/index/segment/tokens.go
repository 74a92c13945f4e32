package segment

import (
	"encoding/binary"
	"math/bits"

	"parley/internal/index/tokenfile"
)

// renumber returns a token file with other word numbers, and updates file accordingly. Everything but the words is
// copied. The error is ErrDamaged if a number has no new one.
func renumber(file *tokenfile.File, tokens []byte, numbers []uint32) ([]byte, error) {
	if err := file.Decode(tokens); err != nil {
		return nil, err
	}
	head := tokenfile.EncodeNumbers(
		&tokenfile.Source{Length: file.Length, Speakers: file.Speakers, Parts: file.Parts}, nil)
	words := len(head) - 1 // without words and times, a file ends with the unit of the times, 1 byte
	renumbered, times := append(make([]byte, 0, len(tokens)+len(tokens)/8), head[:words]...), words
	for i, n := range file.Words {
		if uint64(n) >= uint64(len(numbers)) {
			return nil, ErrDamaged
		}
		times += uvarintSize(n)
		file.Words[i] = numbers[n]
		renumbered = binary.AppendUvarint(renumbered, uint64(numbers[n]))
	}
	if times > len(tokens) {
		return nil, ErrDamaged
	}
	return append(renumbered, tokens[times:]...), nil
}

// uvarintSize returns the number of bytes of a number as a varint.
func uvarintSize(n uint32) int { return (bits.Len32(n|1) + 6) / 7 }
