"""Proves that PocketSphinx finds the same words in scores that are fed as in the sound that they are of.

    python3 proof.py RECORDING...
"""

import sys

from sound import read
from sphinx import UNIT, Decoder, Scorer

scorer, decoder, fed = Scorer(), Decoder(), Decoder()
for path in sys.argv[1:]:
    samples = read(path)
    costs, _ = scorer.costs(samples)
    heard, again = decoder.hear(samples), fed.read(costs * UNIT)
    print("same" if heard == again else "DIFFERENT", len(heard), "words", path)
