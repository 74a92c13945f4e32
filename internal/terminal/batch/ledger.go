package batch

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Sum is what the bytes of a recording are known by.
type Sum string

// SumOf reads a file to its end.
func SumOf(path string) (Sum, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	return Sum(hex.EncodeToString(hash.Sum(nil))), nil
}

// SumOfDocuments is what the documents that go with a recording are known by, each in its place; empty ones count.
func SumOfDocuments(documents ...string) Sum {
	hash := sha256.New()
	for _, d := range documents {
		fmt.Fprintf(hash, "%d:%s", len(d), d)
	}
	return Sum(hex.EncodeToString(hash.Sum(nil)))
}

// Sent is a line of a ledger: a recording that a server has.
type Sent struct {
	Sum        Sum       `json:"sha256"`
	MediaID    string    `json:"mediaId"`
	File       string    `json:"file"`
	Time       time.Time `json:"time"`
	Metadata   Sum       `json:"metadata,omitempty"`   // that went with the bytes
	Processing Sum       `json:"processing,omitempty"` // configuration and transcript that went with them
}

// Ledger is what was sent to one server from here. It is a file to which lines are added, so that several processes may
// use it.
type Ledger struct {
	path string
	sent map[Sum]Sent
}

// OpenLedger reads the ledger of a server in a folder, which need not be there yet. Lines that cannot be read, as a
// crash may leave one, are passed over: at worst the server is asked to take a recording again.
func OpenLedger(folder, server string) (*Ledger, error) {
	name := sha256.Sum256([]byte(server))
	l := &Ledger{path: filepath.Join(folder, hex.EncodeToString(name[:8])+".jsonl"), sent: map[Sum]Sent{}}
	f, err := os.Open(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var s Sent
		if json.Unmarshal(lines.Bytes(), &s) == nil && s.Sum != "" && s.MediaID != "" {
			l.sent[s.Sum] = s
		}
	}
	return l, lines.Err()
}

// Find returns what was sent last of some bytes.
func (l *Ledger) Find(of Sum) (Sent, bool) {
	s, ok := l.sent[of]
	return s, ok
}

// Add notes that a server has a recording.
func (l *Ledger) Add(s Sent) error {
	l.sent[s.Sum] = s
	line, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	// in one piece, after whatever a crash has left of a line
	_, err = f.Write(append([]byte("\n"), append(line, '\n')...))
	return errors.Join(err, f.Close())
}
