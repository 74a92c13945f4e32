package chaos

import (
	"fmt"
	"slices"
	"time"
)

// recorded is how long after the end of a request the server has recorded its success at the latest, where nothing
// disturbs it: a request that begins later must not happen.
const recorded = 5 * time.Second

// Check returns what must not be in a history and the state that it led to; nothing if all is well.
func Check(uploads []Upload, receipts []Receipt, s State) (violations []string) {
	c := &check{items: map[string]Item{}}
	for _, i := range s.Items {
		if _, twice := c.items[i.Media]; twice {
			c.report("item %s is there twice", i.Media)
		}
		c.items[i.Media] = i
	}
	expected := c.uploads(uploads)
	c.views(s.Views, expected)
	c.callbacks(s.Items, receipts)
	for what, list := range map[string][]string{"job left": s.Jobs, "file of no recording": s.Orphans,
		"file lost": s.Lost} {
		for _, one := range list {
			c.report("%s: %s", what, one)
		}
	}
	slices.Sort(c.found)
	return c.found
}

type check struct {
	items map[string]Item // by id
	found []string
}

func (c *check) report(format string, args ...any) {
	c.found = append(c.found, fmt.Sprintf(format, args...))
}

// uploads checks each upload, and returns the ids of the recordings that must be there.
func (c *check) uploads(uploads []Upload) map[string]bool {
	byName := map[string][]Item{}
	for _, i := range c.items {
		byName[i.Name] = append(byName[i.Name], i)
	}
	expected := map[string]bool{}
	known := map[string]bool{}
	for _, u := range uploads {
		known[u.Name] = true
		there := byName[u.Name]
		switch {
		case len(there) > 1:
			c.report("%s was uploaded once, and is there %d times", u.Name, len(there))
		case u.Deletion == Acknowledged && len(there) == 1:
			c.report("%s was deleted, and is there as %s", u.Name, there[0].Media)
		case u.Media != "" && u.Deletion == NotAsked && len(there) == 0:
			c.report("%s was acknowledged as %s, and is gone", u.Name, u.Media)
		case len(there) == 1 && u.Media != "" && there[0].Media != u.Media:
			c.report("%s was acknowledged as %s, and is there as %s", u.Name, u.Media, there[0].Media)
		}
		for _, i := range there {
			expected[i.Media] = true
			c.item(u, i)
		}
	}
	for name, there := range byName {
		if !known[name] {
			c.report("nobody uploaded %q, which is there as %s", name, there[0].Media)
		}
	}
	return expected
}

// item checks a recording that is there.
func (c *check) item(u Upload, i Item) {
	if i.Status != "finished" {
		c.report("%s (%s) is %s", u.Name, i.Media, i.Status)
	}
	if i.SHA256 != u.SHA256 {
		c.report("%s (%s) has other bytes than were uploaded", u.Name, i.Media)
	}
	if i.Turns == 0 {
		c.report("%s (%s) has no transcript", u.Name, i.Media)
	}
}

// views checks that every node finds each recording once, and nothing else.
func (c *check) views(views []View, expected map[string]bool) {
	for _, v := range views {
		for where, ids := range map[string][]string{"the list": v.Items, "the search": v.Search,
			"the analytic database": v.Analytic} {
			times := map[string]int{}
			for _, id := range ids {
				times[id]++
			}
			for id, n := range times {
				if n > 1 {
					c.report("node %d: %s has %s %d times", v.Node, where, id, n)
				}
				if !expected[id] {
					c.report("node %d: %s has %s, which is not there", v.Node, where, id)
				}
			}
			for id := range expected {
				if times[id] == 0 {
					c.report("node %d: %s lacks %s", v.Node, where, id)
				}
			}
		}
	}
}

// callbacks checks that each callback of a recording was accepted, and not requested again after its success was
// recorded.
func (c *check) callbacks(items []Item, receipts []Receipt) {
	accepted := map[string]bool{}
	for _, r := range receipts {
		accepted[r.Callback] = accepted[r.Callback] || r.Accepted
	}
	for _, i := range items {
		done := map[string]time.Time{}
		all := map[string]bool{}
		for _, t := range i.Tries {
			all[t.Callback] = true
			if t.Accepted {
				done[t.Callback] = t.At.Add(t.Took)
			}
		}
		if len(all) == 0 {
			c.report("%s has no callback", i.Media)
		}
		for id := range all {
			switch end, recordedSuccess := done[id]; {
			case !accepted[id]:
				c.report("callback %s of %s was never accepted", id, i.Media)
			case !recordedSuccess:
				c.report("callback %s of %s was accepted, and is not recorded as delivered", id, i.Media)
			default:
				c.again(id, i.Media, end, receipts)
			}
		}
	}
}

// again reports requests of a callback after its success was recorded.
func (c *check) again(id, media string, end time.Time, receipts []Receipt) {
	for _, r := range receipts {
		if r.Callback == id && r.At.After(end.Add(recorded)) {
			c.report("callback %s of %s was requested again %v after it was recorded as delivered", id, media,
				r.At.Sub(end).Round(time.Millisecond))
		}
	}
}
