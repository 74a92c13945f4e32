"""The network: convolutions over time that see 0.3 s around a frame, and tell the classes of states every 30 ms."""

import torch
from torch import nn

from sound import BANDS

STEP = 3  # frames for each result


def layer(inputs, outputs, width, stride=1, dilation=1):
    return nn.Sequential(
        nn.Conv1d(inputs, outputs, width, stride=stride, dilation=dilation, padding=width // 2 * dilation),
        nn.ReLU(), nn.BatchNorm1d(outputs, affine=False), nn.Dropout(0.1))


class Network(nn.Module):
    """Maps [utterances, BANDS, frames] to logits: [utterances, classes, frames / STEP]."""

    def __init__(self, classes, size):
        super().__init__()
        self.front = nn.Sequential(layer(BANDS, size // 2, 5), layer(size // 2, size, 3, stride=STEP))
        self.rest = nn.ModuleList(layer(size, size, 3, dilation=d) for d in (1, 1, 2, 3))
        self.out = nn.Conv1d(size, classes, 1)

    def forward(self, x):
        x = self.front(x)
        for block in self.rest:
            x = x + block(x)
        return self.out(x)


def save(path, network, size, class_of, prior):
    torch.save({"network": network.state_dict(), "size": size, "class_of": class_of, "prior": prior}, path)


def load(path):
    """Returns the network, the class of each state, and how frequent each class is."""
    kept = torch.load(path)
    network = Network(len(kept["prior"]), kept["size"])
    network.load_state_dict(kept["network"])
    return network.eval(), kept["class_of"], kept["prior"]
