"""Writes what the network sees of utterances that were aligned, each of them disturbed in another way.

    python3 copies.py COPIES FIRST LAST CORPUS=ALIGNMENTS...

Makes the copies FIRST to LAST, each a folder COPIES/N: bands.npy (float16, [frames, BANDS] of all utterances),
states.npy (int16, the state of each frame, -1 where it is not known) and ends.npy (the frame after the last one of each
utterance). In copy 0 they are as they are. All copies have the same utterances in the same order; speakers that are held
out (held.py) are left out.
"""

import os
import sys

import numpy as np

from held import held
from sound import CODECS, bands, coded, disturbed, filtered, hurried, read_all


class Material:
    """Utterances, and noises that are made of others."""

    def __init__(self, folders):
        self.samples, self.states = [], []
        for corpus, alignments in folders:
            ids = [name[:-len(".npy")] for name in sorted(os.listdir(alignments))]
            ids = [id for id in ids if not held(id)]
            self.samples += read_all([os.path.join(corpus, id + ".opus") for id in ids])
            self.states += [np.load(os.path.join(alignments, id + ".npy")) for id in ids]

    def noise(self, n):
        """Returns a babble of up to four utterances, or noise between white and pink."""
        if self.random.random() < 0.5:
            some = self.random.integers(len(self.samples), size=self.random.integers(1, 5))
            return sum(np.resize(self.samples[i], n) for i in some)
        color = self.random.uniform(0, 0.6)
        return filtered(self.random.standard_normal(n), lambda f: 1000 * (f + 20) ** -color)

    def copy(self, seed):
        """Returns all utterances, disturbed, and their states; a tenth of them went through a codec."""
        self.random = np.random.default_rng(seed)
        speeds = self.random.choice([0.9, 0.95, 1, 1.05, 1.1], len(self.samples))
        both = [hurried(x, y, speed) for x, y, speed in zip(self.samples, self.states, speeds)]
        samples = [disturbed(x, self.random, self.noise) for x, _ in both]
        ways = self.random.integers(10 * len(CODECS), size=len(samples))
        for way, codec in enumerate(CODECS):
            some = np.where(ways == way)[0]
            for i, x in zip(some, coded([samples[i] for i in some], codec)):
                samples[i] = x
        return samples, [y for _, y in both]


def main(folder, first, last, *folders):
    material = Material([f.split("=") for f in folders])
    for n in range(int(first), int(last) + 1):
        samples, states = material.copy(n) if n > 0 else (material.samples, material.states)
        seen = [bands(x)[:len(y)].astype(np.float16) for x, y in zip(samples, states)]
        copy = os.path.join(folder, str(n))
        os.makedirs(copy, exist_ok=True)
        np.save(os.path.join(copy, "bands.npy"), np.concatenate(seen))
        np.save(os.path.join(copy, "states.npy"),
                np.concatenate([y[:len(x)] for x, y in zip(seen, states)]).astype(np.int16))
        np.save(os.path.join(copy, "ends.npy"), np.cumsum([len(x) for x in seen]))


if __name__ == "__main__":
    main(*sys.argv[1:])
