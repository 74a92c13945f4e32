package job

import (
	"cmp"
	"context"
	"hash/maphash"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"parley/internal/storage/sqlrow"
)

// Claims describes the jobs that a worker requests.
type Claims struct {
	Worker  string   // name of the worker, for operators
	Kinds   []string // kinds of jobs that it can run
	Most    int      // maximum number of jobs
	PerLane int      // maximum running jobs of one kind per lane; 0: no limit

	// Held, if not nil, is the number of the worker's slots that each account holds; Most is then the number of free
	// slots. An account that holds as many slots as are free gets no job.
	Held map[string]int
}

// Bounds of one claim, whatever waits.
const (
	accountsAtOnce = 128 // accounts looked at, of each kind
	spareLanes     = 16  // lanes of an account looked at beside as many as it may take jobs
	readyOfLane    = 16  // jobs taken from a lane in one round
	mostRounds     = 4
	dueAtOnce      = 1000 // jobs made ready because they are due
)

// Claim leases up to c.Most ready jobs to a worker. Accounts with the fewest running jobs of the kind come first, then
// those served longest ago by this Queue, and so do the lanes of an account; within a lane, jobs are ordered by priority
// with ageing. If slots are shared (c.Held), one account gets at most half of them, two get a third each, and so on:
// another account always finds a free slot.
//
// A claim locks the lanes that it takes from, and leaves out lanes that another claim has locked. So the limit per lane
// holds across nodes, and a node that stops in the middle of a claim delays these lanes only, until the database ends
// its transaction. The cost is bounded by the jobs taken and the accounts looked at, not by what waits. With more than
// accountsAtOnce accounts, or many lanes in an account, each claim goes on where the one before ended; the order above
// then holds among those that it looks at.
func (q *Queue) Claim(ctx context.Context, c Claims) (jobs []Job, err error) {
	var done claim
	err = q.db.UpdateJobs(ctx, func(tx Tx) (err error) {
		done = claim{Claims: c, tx: tx, turns: &q.turns, walks: map[Lane]walk{}, spent: map[Lane]bool{},
			left: room{c.Most, maps.Clone(c.Held)}}
		if done.now, err = tx.Now(); err != nil {
			return err
		}
		if err := tx.ByIndex(); err != nil {
			return err
		}
		return done.run()
	})
	if err != nil {
		return nil, err
	}
	q.turns.record(done)
	return done.jobs, nil
}

// room is the number of free slots of a worker, and the number held per account; nil if slots are not shared.
type room struct {
	free int
	held map[string]int
}

func (r *room) has(account string) bool {
	return r.free > 0 && (r.held == nil || r.held[account] < r.free)
}

func (r *room) take(account string) {
	r.free--
	if r.held != nil {
		r.held[account]++
	}
}

// claim is a claim in progress, in one transaction.
type claim struct {
	Claims
	tx    Tx
	now   time.Time
	turns *turns
	left  room
	jobs  []Job
	walks map[Lane]walk // the last ones through the accounts of a kind, the lanes of an account
	spent map[Lane]bool // accounts and lanes that give nothing more
}

// walk is what a claim has looked at, in order.
type walk struct {
	begin  string
	places []Lane
	last   bool // there is nothing behind these
}

// whole reports whether a walk has seen all there is.
func (w walk) whole() bool { return w.begin == "" && w.last }

// end returns where a walk ended.
func (w walk) end() string { return w.places[len(w.places)-1].key() }

// place is an account, or a lane, with what decides when its turn is.
type place struct {
	Lane
	running int64  // jobs
	served  int64  // when it was served last, as a counter
	supply  int64  // how many jobs it can give
	due     bool   // some of them have to be made ready first
	take    int64  // how many it is to give
	tie     uint64 // decides last; differs between processes, so that they do not all begin with the same lanes
}

func (p place) compare(o place) int {
	return cmp.Or(cmp.Compare(p.running+p.take, o.running+o.take), cmp.Compare(p.served, o.served),
		cmp.Compare(p.tie, o.tie))
}

// share gives up to n slots to places, each to the place whose turn it is, and returns the places that got some.
func share(places []place, n int64, left room) (chosen []place) {
	left.held = maps.Clone(left.held)
	for ; n > 0; n-- {
		var first *place
		for i := range places {
			if p := &places[i]; p.take < p.supply && left.has(p.Account) && (first == nil || p.compare(*first) < 0) {
				first = p
			}
		}
		if first == nil {
			break
		}
		first.take++
		left.take(first.Account)
	}
	for _, p := range places {
		if p.take > 0 {
			chosen = append(chosen, p)
		}
	}
	return chosen
}

// run claims in rounds, because a lane that was chosen may be locked, or give less than was thought.
func (c *claim) run() error {
	for range mostRounds {
		accounts, err := c.accounts()
		if err != nil {
			return err
		}
		accounts = share(accounts, int64(c.left.free), c.left)
		if len(accounts) == 0 {
			return nil
		}
		lanes, err := c.lanes(accounts)
		if err != nil {
			return err
		}
		gave, err := c.take(lanes)
		if err != nil || c.left.free == 0 {
			return err
		}
		for _, l := range lanes {
			c.spent[l.Lane] = !gave[l.Lane]
		}
		for _, a := range accounts {
			c.spent[a.Lane] = !gave[a.Lane] && c.walks[a.Lane].last
		}
	}
	return nil
}

// walkFrom begins a walk where the one before ended, if that was in this claim, or else where turns say.
func (c *claim) walkFrom(of Lane) (begin string) {
	if w, ok := c.walks[of]; ok && !w.last {
		begin = w.end()
	} else {
		begin = c.turns.begin(of)
	}
	c.walks[of] = walk{begin: begin, last: true}
	return begin
}

// accounts returns accounts that have lanes awake.
func (c *claim) accounts() ([]place, error) {
	starts := make([]row, len(c.Kinds))
	for i, kind := range c.Kinds {
		delete(c.walks, Lane{Kind: kind}) // those that are spent are left out anyway
		starts[i].Lane = Lane{Kind: kind, Account: c.walkFrom(Lane{Kind: kind})}
	}
	return sqlrow.All(c.tx.Query(`WITH RECURSIVE at(kind, account, n) AS (
			SELECT w.kind, (SELECT l.account FROM job_lane l WHERE l.awake = 1 AND l.kind = w.kind
				AND l.account >= w.account ORDER BY l.account LIMIT 1), 1 FROM `+rows(c.tx)+`
			UNION ALL
			SELECT at.kind, (SELECT l.account FROM job_lane l WHERE l.awake = 1 AND l.kind = at.kind
				AND l.account > at.account ORDER BY l.account LIMIT 1), at.n + 1
			FROM at WHERE at.account IS NOT NULL AND at.n < $2
		)
		SELECT kind, account, (SELECT COUNT(*) FROM job r
			WHERE r.state = 'running' AND r.kind = at.kind AND r.account = at.account)
		FROM at WHERE account IS NOT NULL`, list(starts), accountsAtOnce),
		func(row sqlrow.Row) (p place, err error) {
			err = row.Scan(&p.Kind, &p.Account, &p.running)
			if p.served, p.tie = c.turns.last(p.Lane); !c.spent[p.Lane] {
				p.supply = math.MaxInt64
			}
			c.visit(Lane{Kind: p.Kind}, p.Lane, accountsAtOnce)
			return p, err
		})
}

// visit notes that a walk has come to a place. It ends after as many places as it may have.
func (c *claim) visit(of, place Lane, most int) {
	w := c.walks[of]
	w.places = append(w.places, place)
	w.last = len(w.places) < most
	c.walks[of] = w
}

// lanes returns the lanes of the given accounts that are to give as many jobs as the accounts, if they have them.
func (c *claim) lanes(accounts []place) (chosen []place, err error) {
	starts, ofAccount := make([]row, len(accounts)), map[Lane][]place{}
	for i, a := range accounts {
		starts[i] = row{Lane: Lane{a.Kind, a.Account, c.walkFrom(a.Lane)}, Take: a.take + spareLanes}
	}
	for one := range c.tx.Query(lanesOf(c.tx), list(starts), c.now.UnixMicro(), readyOfLane).Each {
		var p place
		var most int
		var due int64
		if err := one.Scan(&p.Kind, &p.Account, &p.Name, &most, &p.running, &p.supply, &due); err != nil {
			return nil, err
		}
		p.served, p.tie = c.turns.last(p.Lane)
		p.due = due > 0
		p.supply += due
		if c.PerLane > 0 {
			p.supply = min(p.supply, int64(c.PerLane)-p.running)
		}
		account := p.account()
		c.visit(account, p.Lane, most)
		if c.spent[p.Lane] = c.spent[p.Lane] || p.supply <= 0; !c.spent[p.Lane] {
			ofAccount[account] = append(ofAccount[account], p)
		}
	}
	for _, a := range accounts {
		chosen = append(chosen, share(ofAccount[a.Lane], a.take, room{free: int(a.take)})...)
	}
	return chosen, nil
}

// lanesOf walks through the lanes of accounts that are awake, and counts what they have.
func lanesOf(tx Tx) string {
	const of = `kind = at.kind AND j.account = at.account AND j.lane = at.lane`
	return `WITH RECURSIVE at(kind, account, lane, n, most) AS (
			SELECT w.kind, w.account, (SELECT l.lane FROM job_lane l WHERE l.awake = 1 AND l.kind = w.kind
				AND l.account = w.account AND l.lane >= w.lane ORDER BY l.lane LIMIT 1), 1, w.take FROM ` + rows(tx) + `
			UNION ALL
			SELECT at.kind, at.account, (SELECT l.lane FROM job_lane l WHERE l.awake = 1 AND l.kind = at.kind
				AND l.account = at.account AND l.lane > at.lane ORDER BY l.lane LIMIT 1), at.n + 1, at.most
			FROM at WHERE at.lane IS NOT NULL AND at.n < at.most
		)
		SELECT kind, account, lane, most,
			(SELECT COUNT(*) FROM job j WHERE j.state = 'running' AND j.` + of + `),
			(SELECT COUNT(*) FROM (SELECT 1 FROM job j WHERE j.state = 'ready' AND j.` + of + ` LIMIT $3) AS ready),
			(SELECT COUNT(*) FROM (SELECT 1 FROM job j WHERE j.state = 'later' AND j.` + of + `
				AND j.run_at <= $2 LIMIT $3) AS due)
		FROM at WHERE lane IS NOT NULL`
}

// take claims jobs from the lanes, and returns which lanes and accounts gave some. Only now the lanes are locked, so
// their running jobs are counted again: the snapshot of a later statement has all that other claims have committed.
func (c *claim) take(lanes []place) (gave map[Lane]bool, err error) {
	open, err := c.lock(lanes)
	if err != nil || len(open) == 0 {
		return nil, err
	}
	gave = map[Lane]bool{}
	for wanted := open; len(wanted) > 0; {
		from := map[Lane]bool{}
		for one := range c.tx.Query(firsts(c.tx), list(wanted), c.Worker, c.now.Add(Lease).UnixMicro(), c.PerLane).Each {
			j, err := scan(one)
			if err != nil {
				return nil, err
			}
			c.jobs = append(c.jobs, j)
			c.left.take(j.Account)
			gave[j.lane()], gave[j.lane().account()], from[j.lane()] = true, true, true
		}
		more := wanted[:0:0]
		for _, w := range wanted {
			if w.Take--; w.Take > 0 && from[w.Lane] {
				more = append(more, w)
			}
		}
		wanted = more
	}
	return gave, sleep(c.tx, open, c.now)
}

// lock locks lanes, leaves out those that another claim has locked, and makes jobs ready that have become due.
func (c *claim) lock(lanes []place) (open []row, err error) {
	var due bool
	takes := map[Lane]int64{}
	for _, p := range lanes {
		open = append(open, row{Lane: p.Lane, Take: p.take})
		takes[p.Lane] = p.take
		due = due || p.due
	}
	if c.tx.RowLocks() && len(open) > 0 {
		open, err = sqlrow.All(c.tx.Query(`SELECT l.kind, l.account, l.lane FROM job_lane l JOIN `+rows(c.tx)+`
			ON l.kind = w.kind AND l.account = w.account AND l.lane = w.lane WHERE l.awake = 1
			`+unlocked(c.tx, "l"), list(open)), func(one sqlrow.Row) (w row, err error) {
			err = one.Scan(&w.Kind, &w.Account, &w.Name)
			w.Take = takes[w.Lane]
			return w, err
		})
	}
	if due && err == nil && len(open) > 0 {
		_, err = c.tx.Exec(`UPDATE job SET state = 'ready' WHERE id IN (SELECT j.id FROM `+rows(c.tx)+` JOIN job j
			ON j.state = 'later' AND j.kind = w.kind AND j.account = w.account AND j.lane = w.lane
			WHERE j.run_at <= $2 ORDER BY j.run_at LIMIT $3`+unlocked(c.tx, "j")+`)`,
			list(open), c.now.UnixMicro(), dueAtOnce)
	}
	return open, err
}

// firsts claims the first ready job of each lane that is below its limit.
func firsts(tx Tx) string {
	return `WITH head AS MATERIALIZED (SELECT (SELECT j.id FROM job j
				WHERE j.state = 'ready' AND j.kind = w.kind AND j.account = w.account AND j.lane = w.lane
				ORDER BY j.rank, j.id LIMIT 1` + unlocked(tx) + `) AS head_id
			FROM ` + rows(tx) + ` WHERE $4 = 0 OR $4 > (SELECT COUNT(*) FROM job r
				WHERE r.state = 'running' AND r.kind = w.kind AND r.account = w.account AND r.lane = w.lane))
		UPDATE job SET state = 'running', fence = fence + 1, worker = $2, lease_until = $3
		FROM head WHERE job.id = head.head_id AND job.state = 'ready' RETURNING ` + columns
}

// turns remembers what this process has claimed, for the order of the next claims.
type turns struct {
	mu           sync.Mutex
	count        int64
	served, late map[Lane]int64 // by lane, and by account (a Lane without a name); two generations
	begins       map[Lane]begin
	seed         maphash.Seed
}

// begin is where the next walk begins, if one does not see all.
type begin struct {
	at    string
	since int64 // count when the walks began anew
}

// mostTurns is how many lanes and accounts a generation has.
const mostTurns = 50_000

func newTurns() turns {
	return turns{served: map[Lane]int64{}, begins: map[Lane]begin{}, seed: maphash.MakeSeed()}
}

// begin returns where a walk through the accounts of a kind, or the lanes of an account, begins.
func (t *turns) begin(of Lane) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.begins[of].at
}

// last returns when a lane or an account was served last, 0 if that is not remembered, and what decides between equals.
func (t *turns) last(of Lane) (served int64, tie uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lastOf(of), maphash.Comparable(t.seed, of)
}

func (t *turns) lastOf(of Lane) int64 {
	if n, ok := t.served[of]; ok {
		return n
	}
	return t.late[of]
}

// record remembers a claim that was committed.
func (t *turns) record(c claim) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, j := range c.jobs {
		t.count++
		t.served[j.lane()], t.served[j.lane().account()] = t.count, t.count
	}
	if len(t.served) > mostTurns {
		t.served, t.late = map[Lane]int64{}, t.served
	}
	for of, w := range c.walks {
		t.advance(of, w, c)
	}
}

// advance lets the next walk begin at the first place whose turn has not come since the walks began anew: all get their
// turns equally often, even if each claim takes from one only.
func (t *turns) advance(of Lane, w walk, c claim) {
	b, ok := t.begins[of]
	if !ok {
		b.since = t.count - int64(len(c.jobs))
	}
	if w.whole() {
		delete(t.begins, of)
		return
	}
	waits := slices.IndexFunc(w.places, func(p Lane) bool { return t.lastOf(p) <= b.since && !c.spent[p] })
	switch {
	case waits >= 0:
		b.at = w.places[waits].key()
	case w.last:
		b = begin{"", t.count}
	default:
		b.at = w.end()
	}
	t.begins[of] = b
}
