"""Trains the network on utterances that were aligned.

    python3 train.py MODEL MINUTES CORPUS=ALIGNMENTS...

Speakers that are held out (held.py) are left out. States that are rarer than LEAST frames (60) share a class with all
rare states of their phone and place. SIZE (448) is the number of channels of a layer, THREADS (2) that of processors.
The learning rate falls to 0 over the minutes; MODEL is written at the end, and what was reached is printed: on utterances
of the same speakers, as they are.
"""

import os
import sys
import time

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from align import states_of_phones
from held import held
from network import STEP, Network, save
from sound import BANDS, bands, disturbed, hurried, read
from sphinx import STATES

CHUNK = 300  # frames
BATCH = 32


def classes(count, least):
    """Returns the class of each state: its own, that of the rare ones of its phone and place, or that of silence."""
    alone, inside = states_of_phones()
    place = {}
    for phone, states in [*alone.items(), *((k[0], s) for k, s in inside.items())]:
        for i, s in enumerate(states):
            place.setdefault(s, (phone, i))
    names, class_of = {}, np.zeros(STATES, np.int64)
    heard = {place[s] for s in range(STATES) if count[s] > 0}
    for s in range(STATES):
        name = s if count[s] >= least else place[s] if place[s] in heard else ("SIL", 0)
        class_of[s] = names.setdefault(name, len(names))
    return class_of, len(names)


class Material:
    """Utterances, and noises that are made of others."""

    def __init__(self, folders):
        self.random = np.random.default_rng(1)
        self.samples, self.states = [], []
        for corpus, alignments in folders:
            for name in sorted(os.listdir(alignments)):
                id = name[:-len(".npy")]
                if not held(id):
                    self.samples.append(read(os.path.join(corpus, id + ".opus")))
                    self.states.append(np.load(os.path.join(alignments, name)))

    def noise(self, n):
        """Returns a babble of up to four utterances, or noise between white and pink."""
        if self.random.random() < 0.5:
            some = self.random.integers(len(self.samples), size=self.random.integers(1, 5))
            return sum(np.resize(self.samples[i], n) for i in some)
        spectrum = np.fft.rfft(self.random.standard_normal(n))
        spectrum[1:] /= np.arange(1, len(spectrum)) ** self.random.uniform(0, 0.6)
        return np.fft.irfft(spectrum, n) * 1000

    def frames(self, i, class_of, disturb):
        x, y = self.samples[i], self.states[i]
        if disturb:
            x, y = hurried(x, y, self.random.choice([0.9, 1, 1.1]))
            x = disturbed(x, self.random, self.noise)
        x = bands(x)
        y = y[:len(x)]
        return x[:len(y)], np.where(y >= 0, class_of[y], -1)

    def chunks(self, which, class_of):
        """Yields pieces of CHUNK frames in random order, with some bands erased (SpecAugment, Park et al. 2019)."""
        pool = []
        for i in self.random.permutation(which):
            x, y = self.frames(i, class_of, True)
            for start in range(self.random.integers(STEP), len(x) - CHUNK // 5, CHUNK):
                n = min(CHUNK, len(x) - start)
                piece, target = np.zeros((CHUNK, BANDS), np.float32), np.full(CHUNK, -1)
                piece[:n], target[:n] = x[start:start + n], y[start:start + n]
                for _ in range(2):
                    band = self.random.integers(BANDS)
                    piece[:, band:band + self.random.integers(6)] = 0
                pool.append((piece, target))
                if len(pool) >= 600:
                    yield pool.pop(self.random.integers(len(pool)))
        yield from pool


def main(path, minutes, *folders):
    torch.manual_seed(1)
    torch.set_num_threads(int(os.environ.get("THREADS", 2)))
    size, least = int(os.environ.get("SIZE", 448)), float(os.environ.get("LEAST", 60))
    material = Material([f.split("=") for f in folders])
    heard = np.concatenate([a[a >= 0] for a in material.states])
    class_of, n = classes(np.bincount(heard, minlength=STATES), least)
    prior = np.bincount(class_of[heard], minlength=n) + 1.0
    network = Network(n, size)
    hours = sum(map(len, material.samples)) / 16000 / 3600
    weights = sum(p.numel() for p in network.parameters())
    print(f"{len(material.samples)} utterances, {hours:.2f} h, {n} classes, {weights / 1e6:.1f} million weights", flush=True)

    everything = np.arange(len(material.samples))
    kept, used = everything[::25], np.setdiff1d(everything, everything[::25])
    optimizer = torch.optim.AdamW(network.parameters(), weight_decay=1e-3)
    began, step, mean = time.time(), 0, None
    limit = float(minutes) * 60
    while time.time() - began < limit:
        batch = []
        for chunk in material.chunks(used, class_of):
            batch.append(chunk)
            if len(batch) < BATCH:
                continue
            x = torch.from_numpy(np.stack([c[0] for c in batch])).transpose(1, 2)
            y = torch.from_numpy(np.stack([c[1] for c in batch]))[:, ::STEP]
            batch, step, done = [], step + 1, (time.time() - began) / limit
            if done >= 1:
                break
            for group in optimizer.param_groups:
                group["lr"] = 2e-3 * min(1, step / 200) * max(0.01, 1 - done)
            loss = cross_entropy(network(x), y, ignore_index=-1)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
            optimizer.step()
            mean = loss.item() if mean is None else 0.98 * mean + 0.02 * loss.item()
            if step % 50 == 0:
                passes = step * BATCH * CHUNK / 100 / 3600 / hours
                print(f"{passes:.2f} passes, loss {mean:.3f}, {time.time() - began:.0f} s", flush=True)
    save(path, network, size, class_of, prior / prior.sum())
    loss, right = judge(network.eval(), material, kept, class_of)
    print(f"as they are: loss {loss:.3f}, {right:.1%} of the frames right")


@torch.no_grad()
def judge(network, material, which, class_of):
    loss, right, n = 0, 0, 0
    for i in which:
        x, y = material.frames(i, class_of, False)
        logits = network(torch.from_numpy(x.T[None].copy()))[0].T
        y = torch.from_numpy(y[::STEP])[:len(logits)]
        logits, y = logits[:len(y)][y >= 0], y[y >= 0]
        loss += cross_entropy(logits, y, reduction="sum").item()
        right, n = right + (logits.argmax(1) == y).sum().item(), n + len(y)
    return loss / n, right / n


if __name__ == "__main__":
    main(*sys.argv[1:])
