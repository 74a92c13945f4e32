"""Finds the tied state of each frame of utterances whose words are known.

    pocketsphinx_mdef_convert -text /usr/share/pocketsphinx/model/en-us/en-us/mdef mdef.txt
    python3 align.py CORPUS ALIGNMENTS [PART PARTS]

CORPUS is a folder with ID.opus and the file text (ID, tab, words). ALIGNMENTS gets ID.npy: int16, a state for each frame
of 10 ms; -1 where a word has no pronunciation. What is there is not done again. Speakers that are held out are left
out. Of PARTS processes, each does a part.

The path through the states of the words, with silence between them where it fits, is the cheapest one by the Gaussians of
PocketSphinx's model (Viterbi). Words with several pronunciations get the one that costs least in the frames that the
first one was given; then the path is found again.
"""

import os
import sys

import numpy as np

from held import held
from sound import read
from sphinx import MODEL, Scorer

GARBAGE = ["+SPN+"]  # stands for a word without a pronunciation


def states_of_phones(path="mdef.txt"):
    """Returns the states of phones by themselves and in context: (phone, before, after, place in the word)."""
    alone, inside = {}, {}
    with open(path) as f:
        for line in f:
            field = line.split()
            if len(field) < 9 or line.startswith("#"):
                continue
            states = tuple(int(s) for s in field[6:9])
            if field[1] == "-":
                alone[field[0]] = states
            else:
                inside[tuple(field[:4])] = states
    return alone, inside


def pronunciations(path=MODEL + "cmudict-en-us.dict"):
    found = {}
    with open(path) as f:
        for line in f:
            word, *phones = line.split()
            found.setdefault(word.split("(")[0], []).append(phones)
    return found


class Aligner:
    def __init__(self):
        self.alone, self.inside = states_of_phones()
        self.words = pronunciations()

    def states(self, before, phones, after):
        """Returns the states of a word between two phones."""
        if phones == GARBAGE:
            return list(self.alone["+SPN+"])
        found = []
        for i, phone in enumerate(phones):
            left = phones[i - 1] if i > 0 else before
            right = phones[i + 1] if i < len(phones) - 1 else after
            place = "s" if len(phones) == 1 else "b" if i == 0 else "e" if i == len(phones) - 1 else "i"
            found += (self.inside.get((phone, left, right, place)) or self.inside.get((phone, left, right, "i")) or
                      self.inside.get((phone, "SIL", "SIL", place)) or self.alone[phone])
        return found

    def graph(self, chosen):
        """Returns the states of words, and for each the word it belongs to; -1 for silence that may be left out."""
        states, owner = list(self.alone["SIL"]), [-1] * 3
        for k, phones in enumerate(chosen):
            before = chosen[k - 1][-1] if k > 0 else "SIL"
            after = chosen[k + 1][0] if k < len(chosen) - 1 else "SIL"
            word = self.states(before, phones, after)
            states += word + list(self.alone["SIL"])
            owner += [k] * len(word) + [-1] * 3
        return np.array(states), np.array(owner)

    def align(self, costs, text):
        """Returns the state of each frame, None if there are fewer frames than the words need."""
        options = [self.words.get(w, [GARBAGE]) for w in text.split()]
        chosen = [o[0] for o in options]
        states, owner = self.graph(chosen)
        path = cheapest(costs, states, owner)
        if path is None:
            return None
        better = [self.choose(costs, o, np.where(owner[path] == k)[0]) for k, o in enumerate(options)]
        if better != chosen:
            states, owner = self.graph(better)
            path = cheapest(costs, states, owner)
        if path is None:
            return None
        found = states[path]
        found[np.isin(found, self.alone["+SPN+"])] = -1
        return found

    def choose(self, costs, options, frames):
        """Returns the pronunciation that costs least in some frames that follow each other."""
        best = (np.inf, options[0])
        for phones in options if len(options) > 1 else []:
            states = np.array(self.states("SIL", phones, "SIL"))
            if len(frames) >= len(states):
                best = min(best, (straight(costs[frames], states), phones))
        return best[1]


def straight(costs, states):
    """Returns the cost of the cheapest path through all states."""
    sums = np.full(len(states), np.inf)
    sums[0] = costs[0, states[0]]
    for row in costs[1:, states]:
        sums = np.minimum(sums, np.concatenate(([np.inf], sums[:-1]))) + row
    return sums[-1]


def cheapest(costs, states, owner):
    """Returns the cheapest path: for each frame the index of a state. The silences may be left out."""
    frames, n = len(costs), len(states)
    starts = np.where((owner[:-1] == -1) & (owner[1:] >= 0))[0] + 1  # of words, which follow three states of silence
    starts = starts[starts > 3]
    sums = np.full(n, np.inf)
    sums[[0, 3]] = costs[0, states[[0, 3]]]
    steps = np.zeros((frames, n), np.int8)
    for t in range(1, frames):
        before = np.concatenate(([np.inf], sums[:-1]))
        next, step = sums.copy(), np.zeros(n, np.int8)
        moved = before < next
        next[moved], step[moved] = before[moved], 1
        skipped = sums[starts - 4] < next[starts]
        next[starts[skipped]], step[starts[skipped]] = sums[starts[skipped] - 4], 4
        sums, steps[t] = next + costs[t, states], step
    at = n - 1 if sums[n - 1] < sums[n - 4] else n - 4
    if not np.isfinite(sums[at]):
        return None
    path = np.empty(frames, np.int32)
    for t in range(frames - 1, -1, -1):
        path[t] = at
        at -= steps[t, at]
    return path


def main(corpus, folder, part=0, parts=1):
    os.makedirs(folder, exist_ok=True)
    aligner, scorer, lost = Aligner(), Scorer(), 0
    with open(os.path.join(corpus, "text")) as f:
        lines = [line for line in f.read().splitlines() if not held(line)]
    lines.sort(key=lambda line: line.split("\t")[0][::-1])  # so that the first ones are by all speakers
    for line in lines[part::parts]:
        id, text = line.split("\t")
        file = os.path.join(folder, id + ".npy")
        if os.path.exists(file):
            continue
        costs, _ = scorer.costs(read(os.path.join(corpus, id + ".opus")))
        found = aligner.align(costs, text)
        if found is None:
            lost += 1
        else:
            np.save(file, found.astype(np.int16))
    print(lost, "utterances are shorter than their words")


if __name__ == "__main__":
    main(*sys.argv[1:3], *map(int, sys.argv[3:]))
