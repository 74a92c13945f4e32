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

// Sum identifies the bytes of a recording.
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

// SumOfDocuments identifies the documents that accompany a recording. Their order matters, and empty ones count.
func SumOfDocuments(documents ...string) Sum {
	hash := sha256.New()
	for _, d := range documents {
		fmt.Fprintf(hash, "%d:%s", len(d), d)
	}
	return Sum(hex.EncodeToString(hash.Sum(nil)))
}

// Entry is a line of a ledger: a recording that the server has received.
type Entry struct {
	Sum        Sum       `json:"sha256"`
	MediaID    string    `json:"mediaId"`
	File       string    `json:"file"`
	Time       time.Time `json:"time"`
	Metadata   Sum       `json:"metadata,omitempty"`   // of the metadata sent with the recording
	Processing Sum       `json:"processing,omitempty"` // of the configuration and transcript sent with it
}

// Ledger records what this computer has sent to one server. It is an append-only file, so that several processes may
// use it.
type Ledger struct {
	path string
	sent map[Sum]Entry
}

// OpenLedger reads the ledger of a server in a folder, which may not exist yet. It skips unreadable lines, which a
// crash may leave: in the worst case a recording is sent again.
func OpenLedger(folder, server string) (*Ledger, error) {
	name := sha256.Sum256([]byte(server))
	l := &Ledger{path: filepath.Join(folder, hex.EncodeToString(name[:8])+".jsonl"), sent: map[Sum]Entry{}}
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
		var s Entry
		if json.Unmarshal(lines.Bytes(), &s) == nil && s.Sum != "" && s.MediaID != "" {
			l.sent[s.Sum] = s
		}
	}
	return l, lines.Err()
}

// Find returns the most recent entry for the given bytes.
func (l *Ledger) Find(of Sum) (Entry, bool) {
	s, ok := l.sent[of]
	return s, ok
}

// Add records that the server has received a recording.
func (l *Ledger) Add(s Entry) error {
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
	// in one write, starting a new line in case a crash has left an incomplete one
	_, err = f.Write(append([]byte("\n"), append(line, '\n')...))
	return errors.Join(err, f.Close())
}
