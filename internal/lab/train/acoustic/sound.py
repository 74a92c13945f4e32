"""Sound, what happens to it on the telephone, and what the network sees of it."""

import subprocess

import numpy as np

RATE = 16000
BANDS = 40


def converted(data, source, target):
    """Returns what ffmpeg makes of data; source and target are its options for them."""
    command = ["ffmpeg", "-v", "error", "-threads", "1", *source, "-i", "-", *target, "-"]
    return subprocess.run(command, input=data, capture_output=True, check=True).stdout


def read(path):
    """Returns the samples of a recording, one channel, -32768 to 32767."""
    command = ["ffmpeg", "-v", "error", "-i", path, "-ar", str(RATE), "-ac", "1", "-f", "s16le", "-"]
    raw = subprocess.run(command, capture_output=True, check=True).stdout
    return np.frombuffer(raw, np.int16).astype(np.float32)


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
    x = samples - 0.97 * np.concatenate((samples[:1], samples[:-1]))
    frames = max(0, (len(x) - 400) // 160 + 1)
    power = np.abs(np.fft.rfft(x[np.arange(400)[None] + 160 * np.arange(frames)[:, None]] * WINDOW, 512)) ** 2
    logs = np.log(power.astype(np.float32) @ FILTERS.T + 1)
    return logs - logs.mean(0)


def telephone(samples, low=300, high=3400):
    """Returns samples as they are heard through a telephone: a band, 8,000 samples a second, G.711 mu-law."""
    n = len(samples)
    f = np.fft.rfftfreq(n, 1 / RATE)
    pass_band = 1 / (1 + np.exp(np.clip((low - f) / 30, -50, 50))) / (1 + np.exp(np.clip((f - high) / 40, -50, 50)))
    x = np.fft.irfft(np.fft.rfft(samples) * pass_band, n) / 32768
    coded = np.round(np.sign(x) * np.log1p(255 * np.minimum(1, np.abs(x))) / np.log(256) * 127) / 127
    x = np.sign(coded) * (256 ** np.abs(coded) - 1) / 255
    return (np.fft.irfft(np.fft.rfft(x) * (f < 3950), n) * 32768).astype(np.float32)


def hurried(samples, states, speed):
    """Returns samples, and the states of their frames, as if everything took 1/speed of the time. Pitch moves too."""
    x = np.interp(np.arange(0, len(samples) - 1, speed), np.arange(len(samples)), samples).astype(np.float32)
    return x, states[np.minimum((np.arange(int(len(states) / speed)) * speed).astype(int), len(states) - 1)]


CODECS = [["-ar", "8000", "-c:a", "libgsm", "-f", "gsm"],
          ["-ar", "8000", "-c:a", "adpcm_ms", "-f", "wav"],
          ["-ar", "8000", "-c:a", "libopus", "-b:a", "8k", "-f", "ogg"],
          ["-ar", "16000", "-c:a", "libopus", "-b:a", "12k", "-f", "ogg"]]


def coded(samples, codec):
    """Returns samples as a codec leaves them. Codecs that move sound, as MP3 does in a pipe, are not for this."""
    raw = samples.astype(np.int16).tobytes()
    pcm = ["-f", "s16le", "-ar", str(RATE), "-ac", "1"]
    x = np.frombuffer(converted(converted(raw, pcm, codec), codec[-2:], pcm), np.int16).astype(np.float32)
    return np.resize(x, len(samples)) if len(x) > 0 else samples


def disturbed(samples, random, noise):
    """Returns samples at another level, half of them through a telephone or a codec, some with noise behind them."""
    if random.random() < 0.5:
        samples = samples * 10 ** (random.uniform(-15, 6) / 20)
    if random.random() < 0.4:
        behind = noise(len(samples))
        ratio = np.sqrt((samples ** 2).mean() / ((behind ** 2).mean() + 1))
        samples = samples + behind * ratio * 10 ** (-random.uniform(8, 30) / 20)
    samples = np.clip(samples, -32768, 32767)
    way = random.random()
    if way < 0.1:
        samples = coded(samples, CODECS[random.integers(len(CODECS))])
    elif way < 0.55:
        samples = telephone(samples, random.uniform(200, 350), random.uniform(3200, 3700))
    return samples
