"""A recogniser program for Parley (docs/engines.md), to measure a network on recordings of any kind.

    parley eval wer --data RECORDINGS [--telephone] --trust-engine-programs \\
        --engine-program "/usr/bin/python3 engine.py MODEL|gaussians [SCALE] [NAME=VALUE]..."
"""

import json
import sys

import numpy as np
import torch

from measure import recogniser
from sound import RATE


def main(model, *rest):
    torch.set_num_threads(1)
    options = [o for o in rest if "=" in o]
    scale = float(([o for o in rest if "=" not in o] + ["1.4"])[0])
    engine = recogniser(model, scale, options)
    print(json.dumps({"protocol": 1, "engine": "hybrid", "model": model, "version": str(scale), "languages": ["en-US"],
                      "maxChunk": 15}), flush=True)
    for line in sys.stdin.buffer:
        request = json.loads(line)
        samples = np.frombuffer(sys.stdin.buffer.read(2 * request["samples"]), np.int16).astype(np.float32)
        words = engine.hear(samples) if len(samples) > RATE / 10 else []
        print(json.dumps({"id": request["id"], "words": [
            {"text": w, "start": start, "end": end} for w, (start, end) in zip(words, engine.times)]}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
