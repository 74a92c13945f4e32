package store

import (
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"parley/internal/storage/sqlrow"
	"parley/internal/words/account"
	"parley/internal/words/cipher"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// Segment is calls of an account in blobs, which are in force: questions over many calls read them.
type Segment struct {
	ID             string // a UUIDv7
	Account        account.ID
	Words          SegmentFile
	Values         SegmentFile // of the fields; without a Blob: they are in Words
	Calls          int
	Oldest, Newest media.ID
	Lost           bool // somebody has found that a blob is gone or corrupt
}

// SegmentFile is a blob of a segment.
type SegmentFile struct {
	Blob string
	Size int64      // bytes, before encryption
	Sum  [32]byte   // SHA-256 of the blob
	Key  cipher.Key // of the blob; empty: it is not encrypted
}

// Files returns the blobs of a segment.
func (s *Segment) Files() []*SegmentFile {
	if s.Values.Blob == "" {
		return []*SegmentFile{&s.Words}
	}
	return []*SegmentFile{&s.Words, &s.Values}
}

// Revision is a call as of a change of its account.
type Revision struct {
	Media  media.ID
	Change int64
}

// Compare orders revisions by media id and change.
func (r Revision) Compare(o Revision) int {
	return cmp.Or(cmp.Compare(r.Media, o.Media), cmp.Compare(r.Change, o.Change))
}

// Touched is a call of which a segment in force has the words, of the revision Kept, and not the present values.
type Touched struct {
	Revision
	Kept int64
}

// CallIndex is the state of an account's index of calls in one snapshot of the database. Each revision of a call is in
// at most one segment in force.
type CallIndex struct {
	Incarnation int64         // of the database server: after another one, a version may be that of another set
	Version     int64         // of the set of segments; 0: there was never one
	Segments    []Segment     // newest first; nil if the version was known
	Tombstones  []Revision    // ordered as Compare does
	Age         time.Duration // of the oldest tombstone
	Waiting     []Revision    // calls that no segment has, ordered as Compare does
	Touched     []Touched     // in the order of their changes
	Stale       time.Duration // since the first of these changes
	Expired     []media.ID    // items that are to be deleted; no question sees them
}

// CallIndex returns the state of an account's index. It leaves out the segments if their set is that of a known state,
// and returns at most `most` waiting calls, and as many touched ones.
func (tx *Tx) CallIndex(a account.ID, known CallIndex, most int) (x CallIndex, err error) {
	err = tx.row(`SELECT COALESCE(MAX(version), 0), `+tx.incarnation()+` FROM call_index WHERE account = $1`, a).
		Scan(&x.Version, &x.Incarnation)
	if err != nil {
		return x, err
	}
	if x.Version != known.Version || x.Incarnation != known.Incarnation {
		if x.Segments, err = tx.segments(a); err != nil {
			return x, err
		}
	}
	if err := tx.tombstones(a, &x); err != nil {
		return x, err
	}
	if err := tx.unindexed(a, most, &x); err != nil {
		return x, err
	}
	x.Expired, err = tx.ExpiredAnalytic(a)
	return x, err
}

func (tx *Tx) segments(a account.ID) ([]Segment, error) {
	rows := tx.query(`SELECT id, blob, size, sum, key, values_blob, values_size, values_sum, values_key, calls, oldest, newest,
		lost FROM segment WHERE account = $1 ORDER BY newest DESC, id DESC`, a)
	return sqlrow.All(rows, func(row sqlrow.Row) (s Segment, err error) {
		s.Account = a
		w, v := storedFile{file: &s.Words}, storedFile{file: &s.Values}
		err = row.Scan(&s.ID, &s.Words.Blob, &s.Words.Size, &w.sum, &w.key, &s.Values.Blob, &s.Values.Size, &v.sum, &v.key,
			&s.Calls, &s.Oldest, &s.Newest, &s.Lost)
		return s, cmp.Or(err, w.read(tx), v.read(tx))
	})
}

// storedFile is the bytes of a row about a segment's file.
type storedFile struct {
	file     *SegmentFile
	sum, key []byte
}

func (f storedFile) read(tx *Tx) (err error) {
	copy(f.file.Sum[:], f.sum)
	f.file.Key, err = tx.keys.Unwrap(f.key)
	return err
}

func (tx *Tx) tombstones(a account.ID, x *CallIndex) error {
	oldest := int64(math.MaxInt64)
	rows := tx.query(`SELECT media, revision, at FROM tombstone WHERE account = $1 ORDER BY media, revision`, a)
	for row := range rows.Each {
		var r Revision
		var at int64
		if err := row.Scan(&r.Media, &r.Change, &at); err != nil {
			return err
		}
		x.Tombstones, oldest = append(x.Tombstones, r), min(oldest, at)
	}
	if len(x.Tombstones) == 0 {
		return nil
	}
	now, err := tx.now()
	x.Age = now.Sub(time.UnixMicro(oldest))
	return err
}

func scanRevision(row sqlrow.Row) (r Revision, err error) {
	err = row.Scan(&r.Media, &r.Change)
	return r, err
}

// Conditions on the table analytic: calls that no segment has, and calls of which one has the words but not the present
// values. An index for each has just these calls.
const (
	unkept  = `kept = 0`
	touched = `kept <> 0 AND change <> kept AND change <> valued`
)

// unindexed reads the calls that are not in segments as they are.
func (tx *Tx) unindexed(a account.ID, most int, x *CallIndex) (err error) {
	x.Waiting, err = sqlrow.All(tx.query(`SELECT media, change FROM analytic WHERE account = $1 AND `+unkept+`
		ORDER BY media LIMIT $2`, a, most), scanRevision)
	if err != nil {
		return err
	}
	x.Touched, err = sqlrow.All(tx.query(`SELECT media, change, kept FROM analytic WHERE account = $1 AND `+touched+`
		ORDER BY change LIMIT $2`, a, most), scanTouched)
	if len(x.Touched) == 0 || err != nil {
		return err
	}
	now, err := tx.now()
	x.Stale = now.Sub(time.UnixMicro(x.Touched[0].Change)) // a change is a time in microseconds
	return err
}

func scanTouched(row sqlrow.Row) (t Touched, err error) {
	err = row.Scan(&t.Media, &t.Change, &t.Kept)
	return t, err
}

// Behind reports whether at least so many calls of an account are not in segments as they are.
func (tx *Tx) Behind(a account.ID, least int) (bool, error) {
	n, err := sqlrow.Cell[int](tx.row(`SELECT COUNT(*) FROM (SELECT 1 FROM analytic WHERE account = $1 AND `+touched+` LIMIT $2) AS few`,
		a, least))
	if err != nil || n >= least {
		return n >= least, err
	}
	more, err := sqlrow.Cell[int](tx.row(`SELECT COUNT(*) FROM (SELECT 1 FROM analytic WHERE account = $1 AND `+unkept+` LIMIT $2) AS few`,
		a, least-n))
	return n+more >= least, err
}

// SegmentChange replaces segments of an account by others.
type SegmentChange struct {
	Account account.ID
	Version int64 // of the CallIndex that the change was made from
	Added   []Segment
	Removed []string // ids of segments in force
	Found   []string // ids of segments that are not Lost after all
	Renewed []Renewal
	Indexed []Revision // calls that the added segments have, and no segment had
	Dropped []Revision // calls with tombstones that the removed segments had, and the added ones have not
}

// Renewal replaces the values of a segment in force.
type Renewal struct {
	Segment string // its id
	Values  SegmentFile
	Calls   []Revision // whose values are new
}

// rowsAtOnce bounds the rows of a statement.
const rowsAtOnce = 500

// ChangeSegments puts a change in force. Calls that have changed since they were read get tombstones, or wait on for
// their values. It returns the blobs that are in force no more, which the caller deletes later. Conflict if the set of
// segments is another one by now, NotFound if the account is gone.
func (tx *Tx) ChangeSegments(c SegmentChange) (blobs []string, err error) {
	if err := tx.keepAccount(c.Account); err != nil {
		return nil, err
	}
	if err := tx.nextVersion(c.Account, c.Version); err != nil {
		return nil, err
	}
	for some := range slices.Chunk(c.Indexed, rowsAtOnce) {
		if err := tx.keep(c.Account, some); err != nil {
			return nil, err
		}
	}
	for _, id := range c.Found {
		if err := tx.SetSegmentLost(c.Account, id, false); err != nil {
			return nil, err
		}
	}
	for _, s := range c.Added {
		if err := tx.addSegment(s); err != nil {
			return nil, err
		}
	}
	for _, id := range c.Removed {
		var words, values string
		err := tx.row(`DELETE FROM segment WHERE id = $1 AND account = $2 RETURNING blob, values_blob`, id, c.Account).
			Scan(&words, &values)
		if errors.Is(err, sql.ErrNoRows) {
			err = otherSegments(c.Account)
		}
		if err != nil {
			return nil, err
		}
		if blobs = append(blobs, words); values != "" {
			blobs = append(blobs, values)
		}
	}
	for _, r := range c.Renewed {
		replaced, err := tx.renew(c.Account, r)
		if err != nil {
			return nil, err
		}
		if replaced != "" {
			blobs = append(blobs, replaced)
		}
	}
	for some := range slices.Chunk(c.Dropped, rowsAtOnce) {
		if err := tx.dropTombstones(c.Account, some); err != nil {
			return nil, err
		}
	}
	return blobs, nil
}

// renew replaces the values of a segment, and returns the blob of the former ones, if they had one.
func (tx *Tx) renew(a account.ID, r Renewal) (replaced string, err error) {
	replaced, err = one(tx.row(`SELECT values_blob FROM segment WHERE id = $1 AND account = $2`, r.Segment, a),
		sqlrow.Cell[string], otherSegments(a))
	if err != nil {
		return "", err
	}
	v := r.Values
	err = tx.exec(`UPDATE segment SET values_blob = $2, values_size = $3, values_sum = $4, values_key = $5 WHERE id = $1`,
		r.Segment, v.Blob, v.Size, v.Sum[:], tx.keys.Wrap(v.Key))
	if err != nil {
		return "", err
	}
	for some := range slices.Chunk(r.Calls, rowsAtOnce) {
		present, err := tx.lockPresent(a, some)
		if err != nil {
			return "", err
		}
		var valued []media.ID
		for _, r := range some {
			if now, there := present[r.Media]; there && now.Change == r.Change && now.Kept != 0 {
				valued = append(valued, r.Media)
			}
		}
		if err := tx.setPresent("valued", valued); err != nil {
			return "", err
		}
	}
	return replaced, nil
}

// lockPresent returns the present revisions of calls, and locks their rows. It leaves out calls that are gone, or that
// another transaction is about to change.
func (tx *Tx) lockPresent(a account.ID, some []Revision) (map[media.ID]Touched, error) {
	in, args := placeholders(mediaOf(some), []any{a})
	rows := tx.query(`SELECT media, change, kept FROM analytic WHERE `+ofAccount+` AND media IN (`+in+`)`+
		tx.locking(` FOR NO KEY UPDATE SKIP LOCKED`), args...)
	present := map[media.ID]Touched{}
	for row := range rows.Each {
		t, err := scanTouched(row)
		if err != nil {
			return nil, err
		}
		present[t.Media] = t
	}
	return present, nil
}

// setPresent sets a column of calls to their present revision.
func (tx *Tx) setPresent(column string, calls []media.ID) error {
	if len(calls) == 0 {
		return nil
	}
	in, args := placeholders(calls, nil)
	return tx.exec(`UPDATE analytic SET `+column+` = change WHERE media IN (`+in+`)`, args...)
}

func (tx *Tx) addSegment(s Segment) error {
	w, v := s.Words, s.Values
	return tx.exec(`INSERT INTO segment (id, account, blob, size, sum, key, values_blob, values_size, values_sum, values_key,
			calls, oldest, newest)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`, s.ID, s.Account,
		w.Blob, w.Size, w.Sum[:], tx.keys.Wrap(w.Key), v.Blob, v.Size, v.Sum[:], tx.keys.Wrap(v.Key),
		s.Calls, s.Oldest, s.Newest)
}

func otherSegments(a account.ID) error {
	return fault.New(fault.Conflict, fault.CodeConflict, "the segments of account %s are others by now", a)
}

// nextVersion counts a change of an account's set of segments; Conflict if its version is another one by now.
func (tx *Tx) nextVersion(a account.ID, seen int64) error {
	change := `UPDATE call_index SET version = version + 1 WHERE account = $1 AND version = $2`
	if seen == 0 { // servers of version 7 compare the removals of both tables
		change = `INSERT INTO call_index (account, version, removals)
			SELECT $1, $2 + 1, COALESCE(MAX(removals), 0) FROM analytic_clock WHERE account = $1 ON CONFLICT DO NOTHING`
	}
	return tx.changed(otherSegments(a), change, a, seen)
}

// keep notes that segments have some calls. A call that has changed meanwhile, or that another transaction is about to
// change, has a tombstone instead.
func (tx *Tx) keep(a account.ID, some []Revision) error {
	present, err := tx.lockPresent(a, some)
	if err != nil {
		return err
	}
	var kept []media.ID
	var dead []Revision
	for _, r := range some {
		switch now, there := present[r.Media]; {
		case !there || now.Change != r.Change:
			dead = append(dead, r)
		default:
			kept = append(kept, r.Media)
		}
	}
	if err := tx.setPresent("kept", kept); err != nil {
		return err
	}
	return tx.Bury(a, dead)
}

func mediaOf(some []Revision) []media.ID {
	ids := make([]media.ID, len(some))
	for i, r := range some {
		ids[i] = r.Media
	}
	return ids
}

// Bury makes tombstones for revisions that segments have.
func (tx *Tx) Bury(a account.ID, dead []Revision) error {
	if len(dead) == 0 {
		return nil
	}
	now, err := tx.now()
	if err != nil {
		return err
	}
	for some := range slices.Chunk(dead, rowsAtOnce) {
		values, args := make([]string, len(some)), []any{a, now.UnixMicro()}
		for i, r := range some {
			values[i] = fmt.Sprintf("($1, $%d, $%d, $2)", len(args)+1, len(args)+2)
			args = append(args, r.Media, r.Change)
		}
		err := tx.exec(`INSERT INTO tombstone (account, media, revision, at) VALUES `+strings.Join(values, ", ")+
			` ON CONFLICT DO NOTHING`, args...)
		if err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) dropTombstones(a account.ID, some []Revision) error {
	values, args := make([]string, len(some)), []any{a}
	for i, r := range some {
		values[i] = fmt.Sprintf("media = $%d AND revision = $%d", len(args)+1, len(args)+2)
		args = append(args, r.Media, r.Change)
	}
	return tx.exec(`DELETE FROM tombstone WHERE account = $1 AND (`+strings.Join(values, " OR ")+`)`, args...)
}

// SetSegmentLost notes whether the blob of a segment is gone or corrupt, so that a job builds its calls again.
func (tx *Tx) SetSegmentLost(a account.ID, id string, lost bool) error {
	return tx.exec(`UPDATE segment SET lost = $3 WHERE id = $2 AND account = $1`, a, id, flag(lost))
}

// HoldSegments checks that an account's set of segments has a version, and that it keeps it until this transaction ends;
// Conflict otherwise.
func (tx *Tx) HoldSegments(a account.ID, version int64) error {
	_, err := one(tx.row(`SELECT 1 FROM call_index WHERE account = $1 AND version = $2`+tx.locking(` FOR SHARE`), a,
		version), sqlrow.Cell[int], otherSegments(a))
	return err
}

// Unkeep notes that no segment in force has some calls as of these revisions, so that the calls are indexed again.
func (tx *Tx) Unkeep(a account.ID, gone []Revision) error {
	for _, r := range gone {
		err := tx.exec(`UPDATE analytic SET kept = 0 WHERE media = $2 AND account = $1 AND kept = $3`, a, r.Media, r.Change)
		if err != nil {
			return err
		}
	}
	return nil
}

// KeptCalls returns up to limit calls of an account that segments in force should have, as of which revision, after
// the given one by id.
func (tx *Tx) KeptCalls(a account.ID, after media.ID, limit int) ([]Revision, error) {
	return sqlrow.All(tx.query(`SELECT media, kept FROM analytic WHERE account = $1 AND media > $2 AND kept <> 0
		ORDER BY media LIMIT $3`, a, after, limit), scanRevision)
}

// IndexDue says when an account needs a job for its index of calls.
type IndexDue struct {
	Waiting int           // so many calls that no segment has
	Touched int           // so many calls whose values are not in segments
	Age     time.Duration // of a tombstone, or of the first change of values that are not in segments
	Subject string        // before the account, the subject of its job: there is one at a time
}

// AccountsToIndex returns the accounts that need a job; also those with a Lost segment. It looks
// at no more calls of each account than are enough.
func (tx *Tx) AccountsToIndex(due IndexDue) ([]account.ID, error) {
	now, err := tx.now()
	if err != nil {
		return nil, err
	}
	return sqlrow.All(tx.query(`WITH RECURSIVE `+perAccount("unkept", unkept)+`, `+perAccount("touched", touched)+`
		SELECT account FROM (`+withAtLeast("unkept", unkept, "$1")+`
			UNION `+withAtLeast("touched", touched, "$2")+`
			UNION SELECT account FROM touched WHERE account IS NOT NULL AND (SELECT MIN(change) FROM analytic
				WHERE analytic.account = touched.account AND `+touched+`) < $3
			UNION SELECT account FROM tombstone WHERE at < $3
			UNION SELECT account FROM segment WHERE lost = 1) AS due
		WHERE NOT EXISTS (SELECT 1 FROM job WHERE subject = $4 || due.account)`,
		due.Waiting, due.Touched, now.Add(-due.Age).UnixMicro(), due.Subject), sqlrow.Cell[account.ID])
}

// perAccount is a common table expression: the accounts that have calls under a condition with an index of its own. It
// reads one entry of the index for each.
func perAccount(name, condition string) string {
	return name + `(account) AS (SELECT MIN(account) FROM analytic WHERE ` + condition + `
		UNION ALL SELECT (SELECT MIN(account) FROM analytic WHERE ` + condition + ` AND account > ` + name + `.account)
			FROM ` + name + ` WHERE ` + name + `.account IS NOT NULL)`
}

// withAtLeast selects those of the accounts that perAccount found that have so many calls.
func withAtLeast(name, condition, least string) string {
	return `SELECT account FROM ` + name + ` WHERE account IS NOT NULL AND (SELECT COUNT(*) FROM (SELECT 1 FROM analytic
		WHERE analytic.account = ` + name + `.account AND ` + condition + ` LIMIT ` + least + `) AS few) >= ` + least
}

// IndexVersions returns the versions of the sets of segments of all accounts that have one.
func (tx *Tx) IndexVersions() (map[account.ID]int64, error) {
	versions := map[account.ID]int64{}
	for row := range tx.query(`SELECT account, version FROM call_index`).Each {
		var a account.ID
		var version int64
		if err := row.Scan(&a, &version); err != nil {
			return nil, err
		}
		versions[a] = version
	}
	return versions, nil
}

// IndexSummary is the index of calls of all accounts in numbers.
type IndexSummary struct {
	Segments, Lost int64 // in force, and those of them whose blobs are gone or corrupt
	Calls          int64 // in segments
	Waiting        int64 // for a segment
}

// IndexSummary counts what the index of calls of all accounts has.
func (tx *Tx) IndexSummary() (s IndexSummary, err error) {
	err = tx.row(`SELECT COUNT(*), CAST(COALESCE(SUM(lost), 0) AS BIGINT), CAST(COALESCE(SUM(calls), 0) AS BIGINT) FROM segment`).
		Scan(&s.Segments, &s.Lost, &s.Calls)
	if err == nil {
		s.Waiting, err = tx.CountWaitingCalls()
	}
	return s, err
}

// CountWaitingCalls counts the calls of all accounts that are not in segments as they are.
func (tx *Tx) CountWaitingCalls() (n int64, err error) {
	return sqlrow.Cell[int64](tx.row(`SELECT (SELECT COUNT(*) FROM analytic WHERE ` + unkept + `)
		+ (SELECT COUNT(*) FROM analytic WHERE ` + touched + `)`))
}
