"""Measures word error rates on the speakers that are held out.

    python3 measure.py CORPUS MODEL|gaussians|passes [--telephone] [--scale S] [--every N] [--all]
        [--set NAME=VALUE]...

gaussians is the search that a network's scores can be fed to; passes is PocketSphinx as it is, with its second pass. The
scores of a network are its log posteriors less the log priors, times S (1.4). --every N measures each Nth utterance.
--all measures all speakers: to choose a scale on a corpus that is not trained on. --set sets options of PocketSphinx,
such as beam=1e-40.
"""

import argparse
import os
import time

import numpy as np
import torch

from held import held
from network import STEP, load
from sound import RATE, bands, read, telephone
from sphinx import Decoder


def errors(reference, heard):
    """Returns the least number of words that are replaced, left out and put in (Levenshtein)."""
    row = list(range(len(heard) + 1))
    for i, word in enumerate(reference, 1):
        corner, row[0] = row[0], i
        for j, other in enumerate(heard, 1):
            corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + (word != other))
    return row[-1]


class Hybrid:
    def __init__(self, model, scale, options):
        self.network, self.class_of, prior = load(model)
        self.prior, self.scale, self.decoder = np.log(prior), scale, Decoder(**options)

    @property
    def times(self):
        return self.decoder.times

    @torch.no_grad()
    def hear(self, samples):
        x = bands(samples)
        logs = torch.log_softmax(self.network(torch.from_numpy(x.T[None].copy()))[0].T, 1).numpy()
        costs = -self.scale * (logs - self.prior)
        return self.decoder.read(np.repeat(costs, STEP, 0)[:len(x)][:, self.class_of])


def recogniser(model, scale, settings):
    """Returns what hears by a model; settings are options of PocketSphinx, NAME=VALUE."""
    plain = {"gaussians": {}, "passes": {"fwdflat": "yes", "pl_window": "5"}}
    options = plain.get(model, {}) | dict(s.split("=") for s in settings)
    return Decoder(**options) if model in plain else Hybrid(model, scale, options)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus")
    parser.add_argument("model")
    parser.add_argument("--telephone", action="store_true")
    parser.add_argument("--scale", type=float, default=1.4)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--set", action="append", default=[])
    a = parser.parse_args()
    torch.set_num_threads(int(os.environ.get("THREADS", 2)))
    engine = recogniser(a.model, a.scale, a.set)
    with open(os.path.join(a.corpus, "text")) as f:
        lines = [line for line in f.read().splitlines() if a.all or held(line)][::a.every]
    found, began, length = {}, time.time(), 0
    for line in lines:
        id, text = line.split("\t")
        samples = read(os.path.join(a.corpus, id + ".opus"))
        length += len(samples) / RATE
        heard = engine.hear(telephone(samples) if a.telephone else samples)
        of = found.setdefault(id.split("-")[1], [0, 0])
        of[0], of[1] = of[0] + errors(text.split(), heard), of[1] + len(text.split())
    for speaker, (wrong, words) in sorted(found.items()):
        print(f"{speaker}: {100 * wrong / words:.1f} % of {words} words")
    wrong, words = np.sum(list(found.values()), 0)
    print(f"all: {100 * wrong / words:.1f} % of {words} words, {(time.time() - began) / length:.2f} of the length")


if __name__ == "__main__":
    main()
