"""Sound, what happens to it on the telephone, and what the network sees of it."""

import os
import subprocess
import tempfile

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft

RATE = 16000
BANDS = 40


PCM = ["-f", "s16le", "-ar", str(RATE), "-ac", "1"]


def converted(paths, folder, source, target):
    """Returns the paths of files in a folder that ffmpeg makes of others; source and target are its options for them.
    Up to 50 are made at a time, because ffmpeg needs long to start."""
    made = [os.path.join(folder, str(i)) for i in range(len(paths))]
    for first in range(0, len(paths), 50):
        part = range(first, min(first + 50, len(paths)))
        command = ["ffmpeg", "-v", "error", "-y", "-threads", "1"]
        for i in part:
            command += [*source, "-i", paths[i]]
        for k, i in enumerate(part):
            command += ["-map", f"{k}:a", *target, made[i]]
        subprocess.run(command, check=True)
    return made


def read_all(paths):
    """Returns the samples of recordings, one channel each, -32768 to 32767."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        return [np.fromfile(f, np.int16).astype(np.float32) for f in converted(paths, folder, [], PCM)]


def read(path):
    return read_all([path])[0]


def _mel(low=100, high=7600, size=512):
    def mel(f):
        return 1127 * np.log(1 + f / 700)

    edges = 700 * (np.exp(np.linspace(mel(low), mel(high), BANDS + 2) / 1127) - 1)
    f = np.arange(size // 2 + 1) * RATE / size
    return np.stack([np.maximum(0, np.minimum((f - a) / (b - a), (c - f) / (c - b)))
                     for a, b, c in zip(edges, edges[1:], edges[2:])]).astype(np.float32)


FILTERS, WINDOW = _mel(), np.hamming(400).astype(np.float32)


def bands(samples):
    """Returns the logarithms of BANDS mel bands, less their means: [frames of 10 ms, BANDS]."""
    x = samples.astype(np.float32)
    x = x - 0.97 * np.concatenate((x[:1], x[:-1]))
    frames = max(0, (len(x) - 400) // 160 + 1)
    windows = np.lib.stride_tricks.as_strided(x, (frames, 400), (160 * x.itemsize, x.itemsize))
    spectrum = rfft(windows * WINDOW, 512)
    logs = np.log((spectrum.real ** 2 + spectrum.imag ** 2) @ FILTERS.T + 1)
    return logs - logs.mean(0)


def filtered(samples, response):
    """Returns samples after a filter: response tells for frequencies how much of them is left."""
    n = next_fast_len(len(samples), real=True)
    spectrum = rfft(samples.astype(np.float32), n)
    return irfft(spectrum * response(np.arange(len(spectrum)) * (RATE / n)).astype(np.float32), n)[:len(samples)]


def in_room(samples, random):
    """Returns samples as they are heard in a room: the sound itself, and echoes that die away (Polack 1988)."""
    dying = int(random.uniform(0.08, 0.5) * RATE)  # until 60 dB are lost
    echoes = random.standard_normal(dying) * 10 ** (-3 * np.arange(dying) / dying)
    echoes[:int(random.uniform(0.001, 0.01) * RATE)] = 0
    echoes *= 10 ** (-random.uniform(0, 12) / 20) / np.sqrt((echoes ** 2).sum())
    echoes[0] = 1
    n = next_fast_len(len(samples) + dying, real=True)
    heard = irfft(rfft(samples.astype(np.float32), n) * rfft(echoes.astype(np.float32), n), n)[:len(samples)]
    return heard * np.sqrt((samples ** 2).mean() / ((heard ** 2).mean() + 1e-9))


LEVELS = np.arange(-127, 128) / 127
MULAW = (np.sign(LEVELS) * (256 ** np.abs(LEVELS) - 1) / 255 * 32768).astype(np.float32)


def telephone(samples, low=300, high=3400):
    """Returns samples as they are heard through a telephone: a band, 8,000 samples a second, G.711 mu-law."""
    def passed(f):
        return 1 / (1 + np.exp(np.clip((low - f) / 30, -50, 50))) / (1 + np.exp(np.clip((f - high) / 40, -50, 50)))

    x = filtered(samples, passed) / 32768
    steps = np.round(np.sign(x) * np.log(1 + 255 * np.minimum(1, np.abs(x))) / np.log(256) * 127).astype(np.int16)
    return filtered(MULAW[steps + 127], lambda f: f < 3950)


def hurried(samples, states, speed):
    """Returns samples, and the states of their frames, as if everything took 1/speed of the time. Pitch moves too."""
    x = np.interp(np.arange(0, len(samples) - 1, speed), np.arange(len(samples)), samples).astype(np.float32)
    return x, states[np.minimum((np.arange(int(len(states) / speed)) * speed).astype(int), len(states) - 1)]


CODECS = [["-ar", "8000", "-c:a", "libgsm", "-f", "gsm"],
          ["-ar", "8000", "-c:a", "adpcm_ms", "-f", "wav"],
          ["-ar", "8000", "-c:a", "libopus", "-b:a", "8k", "-f", "ogg"],
          ["-ar", "8000", "-c:a", "libspeex", "-b:a", "8k", "-f", "ogg"],
          ["-ar", "16000", "-c:a", "libopus", "-b:a", "12k", "-f", "ogg"]]


def coded(all, codec):
    """Returns sounds as a codec leaves them. Codecs that move sound, as MP3 does, are not for this."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        stages = [os.path.join(folder, str(i)) for i in range(3)]
        for stage in stages:
            os.mkdir(stage)
        paths = [os.path.join(stages[0], str(i)) for i in range(len(all))]
        for path, samples in zip(paths, all):
            np.clip(samples, -32768, 32767).astype(np.int16).tofile(path)
        files = converted(converted(paths, stages[1], PCM, codec), stages[2], codec[-2:], PCM)
        heard = [np.fromfile(f, np.int16).astype(np.float32) for f in files]
    return [np.resize(x, len(samples)) if len(x) > 0 else samples for x, samples in zip(heard, all)]


def disturbed(samples, random, noise):
    """Returns samples as something else might have recorded them: from afar, with noise or others behind them, too loud
    or very low; half of them through a telephone."""
    if random.random() < 0.3:
        samples = in_room(samples, random)
    if random.random() < 0.4:
        behind = noise(len(samples))
        ratio = np.sqrt((samples ** 2).mean() / ((behind ** 2).mean() + 1))
        samples = samples + behind * ratio * 10 ** (-random.uniform(8, 30) / 20)
    if random.random() < 0.5:
        samples = samples * 10 ** (random.uniform(-30, 12) / 20)
    samples = np.clip(samples, -32768, 32767)
    if random.random() < 0.5:
        samples = telephone(samples, random.uniform(50, 350), random.uniform(3200, 3800))
    return samples
