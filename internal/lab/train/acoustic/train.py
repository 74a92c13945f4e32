"""Trains the network on copies of utterances (copies.py).

    python3 train.py MODEL MINUTES COPY...

The first copy is as the utterances are: it tells the classes, and each 25th of its utterances judges what was reached.
The others train; each pass over the data takes each utterance from one of them. States that are rarer than LEAST frames
(160) share a class with all rare states of their phone and place. SIZE (448) is the number of channels of a layer,
THREADS (2) that of processors, PART (1) the part of the utterances that is trained on. The learning rate falls to 0 over
the minutes. With FROM, the path of a model, its weights are the first ones, and its classes stay.
"""

import os
import sys
import time

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from align import states_of_phones
from network import STEP, Network, load, save
from sound import BANDS
from sphinx import STATES

CHUNK = 300  # frames
BATCH = 32
RATE = float(os.environ.get("RATE", 2e-3))


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


class Copy:
    def __init__(self, folder):
        self.bands, self.states, self.ends = (
            np.load(os.path.join(folder, name + ".npy")) for name in ("bands", "states", "ends"))

    def frames(self, i):
        """Returns where an utterance begins and ends."""
        return (self.ends[i - 1] if i > 0 else 0), self.ends[i]


def batches(copies, used, class_of, random):
    """Yields pieces of CHUNK frames in random order, with some bands erased (SpecAugment, Park et al. 2019), and the
    class of each STEP frames: [BATCH, BANDS, CHUNK], [BATCH, CHUNK / STEP]."""
    pieces = []
    for i in used:
        copy = copies[random.integers(len(copies))]
        start, end = copy.frames(i)
        pieces += [(copy, at, min(CHUNK, end - at))
                   for at in range(start + random.integers(STEP), end - CHUNK // 5, CHUNK)]
    order = random.permutation(len(pieces))
    for first in range(0, len(order) - BATCH + 1, BATCH):
        x, y = np.zeros((BATCH, CHUNK, BANDS), np.float32), np.full((BATCH, CHUNK), -1, np.int64)
        for k, (copy, at, n) in enumerate(pieces[p] for p in order[first:first + BATCH]):
            x[k, :n] = copy.bands[at:at + n]
            states = copy.states[at:at + n]
            y[k, :n] = np.where(states >= 0, class_of[states], -1)
            for _ in range(2):
                band, moment = random.integers(BANDS), random.integers(CHUNK)
                x[k, :, band:band + random.integers(6)] = 0
                x[k, moment:moment + random.integers(20)] = 0
        yield torch.from_numpy(x.transpose(0, 2, 1).copy()), torch.from_numpy(y[:, ::STEP].copy())


def main(path, minutes, plain, *copies):
    torch.manual_seed(1)
    torch.set_num_threads(int(os.environ.get("THREADS", 2)))
    random = np.random.default_rng(1)
    plain, copies = Copy(plain), [Copy(c) for c in copies]
    utterances = np.arange(len(plain.ends))
    kept, used = utterances[::25], np.setdiff1d(utterances, utterances[::25])
    used = random.permutation(used)[:int(len(used) * float(os.environ.get("PART", 1)))]
    heard = np.concatenate([plain.states[slice(*plain.frames(i))] for i in used])
    heard = heard[heard >= 0]
    if "FROM" in os.environ:
        network, class_of, prior = load(os.environ["FROM"])
        size = torch.load(os.environ["FROM"])["size"]
        network.train()
    else:
        size, least = int(os.environ.get("SIZE", 448)), float(os.environ.get("LEAST", 160))
        class_of, n = classes(np.bincount(heard, minlength=STATES), least)
        network = Network(n, size)
    prior = np.bincount(class_of[heard], minlength=class_of.max() + 1) + 1.0
    hours = sum(int(np.subtract(*plain.frames(i)[::-1])) for i in used) / 100 / 3600
    weights = sum(p.numel() for p in network.parameters())
    print(f"{len(used)} utterances, {hours:.2f} h, {len(prior)} classes, {weights / 1e6:.1f} million weights", flush=True)

    optimizer = torch.optim.AdamW(network.parameters(), weight_decay=1e-3)
    began, step, done, mean = time.time(), 0, 0, None
    while done < 1:
        for x, y in batches(copies, used, class_of, random):
            step, done = step + 1, (time.time() - began) / (float(minutes) * 60)
            if done >= 1:
                break
            for group in optimizer.param_groups:
                group["lr"] = RATE * min(1, step / 200) * (1 - done)
            loss = cross_entropy(network(x), y, ignore_index=-1)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
            optimizer.step()
            mean = loss.item() if mean is None else 0.98 * mean + 0.02 * loss.item()
            if step % 200 == 0:
                passes = step * BATCH * CHUNK / 100 / 3600 / hours
                print(f"{passes:.2f} passes, loss {mean:.3f}, {time.time() - began:.0f} s", flush=True)
                save(path, network, size, class_of, prior / prior.sum())
    save(path, network, size, class_of, prior / prior.sum())
    for name, copy in ("as they are", plain), ("disturbed", copies[0]):
        loss, right = judge(network.eval(), copy, kept, class_of)
        print(f"{name}: loss {loss:.3f}, {right:.1%} of the frames right")


@torch.no_grad()
def judge(network, copy, which, class_of):
    loss, right, n = 0, 0, 0
    for i in which:
        part = slice(*copy.frames(i))
        x, y = copy.bands[part].astype(np.float32), copy.states[part]
        logits = network(torch.from_numpy(x.T[None].copy()))[0].T
        y = torch.from_numpy(np.where(y >= 0, class_of[y], -1)[::STEP])[:len(logits)]
        logits, y = logits[:len(y)][y >= 0], y[y >= 0]
        loss += cross_entropy(logits, y, reduction="sum").item()
        right, n = right + (logits.argmax(1) == y).sum().item(), n + len(y)
    return loss / n, right / n


if __name__ == "__main__":
    main(*sys.argv[1:])
