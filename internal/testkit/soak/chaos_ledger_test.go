package soak

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/internal/testkit/chaos"
)

// trialOfVerify is a seed whose faults take nodes, connections, storage and the primary away, and that takes little time.
const trialOfVerify = "3"

// parseTrials parses what is to be run, such as 7, 1-200, kill-node or single,1-3: seeds, kinds of faults that happen
// alone, and single for each of these.
func parseTrials(text string) (trials []*chaosTrial, err error) {
	for part := range strings.SplitSeq(text, ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		first, err1 := strconv.ParseUint(from, 10, 32)
		last, err2 := strconv.ParseUint(to, 10, 32)
		switch {
		case part == "single":
			for _, kind := range chaos.Kinds() {
				trials = append(trials, alone(kind))
			}
		case slices.Contains(chaos.Kinds(), chaos.Kind(part)):
			trials = append(trials, alone(chaos.Kind(part)))
		case err1 != nil || err2 != nil || last < first:
			return nil, fmt.Errorf("invalid trials %q; write for example 7, 1-200, kill-node or single,1-3", text)
		default:
			for seed := first; seed <= last; seed++ {
				schedule := chaos.Schedule(seed, nodesOfTrial, chaosTime, chaos.Kinds())
				trials = append(trials, &chaosTrial{name: fmt.Sprint(seed), seed: seed, schedule: schedule})
			}
		}
	}
	return trials, nil
}

// alone returns a trial with one fault.
func alone(kind chaos.Kind) *chaosTrial {
	fault := chaos.Fault{Kind: kind, Node: 1, At: chaosTime / 8, For: chaosTime / 2}
	return &chaosTrial{name: string(kind), schedule: []chaos.Fault{fault}}
}

func TestTrialsAreParsed(t *testing.T) {
	for text, want := range map[string]string{"7": "7", "2-4,9": "2 3 4 9", "kill-node,1": "kill-node 1", trialOfVerify: "3"} {
		trials, err := parseTrials(text)
		if got := names(trials); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	if trials, err := parseTrials("single"); err != nil || len(trials) != len(chaos.Kinds()) {
		t.Errorf("single: %v, %v", names(trials), err)
	}
	for _, text := range []string{"", "x", "3-1", "1-", ",", "-1", "kill"} {
		if got, err := parseTrials(text); err == nil {
			t.Errorf("%q is taken as %v", text, names(got))
		}
	}
}

func names(trials []*chaosTrial) string {
	var all []string
	for _, x := range trials {
		all = append(all, x.name)
	}
	return strings.Join(all, " ")
}

// ledgerHeader names the columns of a ledger. Times are in seconds; ready and done count from the end of the last fault.
const ledgerHeader = "trial\tdate\tcommit\tuploads\tdeletions\tcallbacks\torphans\tseconds\tready\tdone\tfindings\tfaults\n"

// enter adds the trial to a ledger; an empty path means none.
func (x *chaosTrial) enter(path string) error {
	if path == "" {
		return nil
	}
	ledger, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	info, err := ledger.Stat()
	if err == nil && info.Size() == 0 {
		_, err = ledger.WriteString(ledgerHeader)
	}
	if err == nil {
		_, err = ledger.WriteString(x.line(time.Now(), revision()))
	}
	return errors.Join(err, ledger.Close())
}

// line returns the trial as a line of a ledger.
func (x *chaosTrial) line(now time.Time, commit string) string {
	findings := "none"
	if len(x.violations) > 0 {
		findings = strings.Join(strings.Fields(strings.Join(x.violations, "; ")), " ")
	}
	return fmt.Sprintf("%s\t%s\t%s\t%d\t%d\t%d\t%d\t%.1f\t%.1f\t%.1f\t%s\t%s\n", x.name, now.UTC().Format(time.DateOnly),
		commit, x.acknowledged, x.gone, len(x.receipts), x.orphans, x.lasted.Seconds(), x.ready.Seconds(),
		x.done.Seconds(), findings, x.faults())
}

// revision returns the commit of the sources, with a + if they have changed since.
func revision() string {
	out, err := exec.Command("git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return "unknown"
	}
	commit := strings.TrimSpace(string(out))
	if exec.Command("git", "diff", "--quiet", "HEAD", "--", "*.go").Run() != nil {
		commit += "+"
	}
	return commit
}
