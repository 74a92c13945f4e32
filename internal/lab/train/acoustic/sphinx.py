"""PocketSphinx by ctypes: decoding of sound, and of scores that something else has computed."""

import ctypes
import os
import struct
import tempfile

import numpy as np

MODEL = "/usr/share/pocketsphinx/model/en-us/"
STATES = 5126  # tied states of the model
UNIT = 1024 * 0.000099995000333  # of a score, in nats: the logarithm of 1.0001, times 2^10

base = ctypes.CDLL("libsphinxbase.so.3", mode=ctypes.RTLD_GLOBAL)
library = ctypes.CDLL("libpocketsphinx.so.3", mode=ctypes.RTLD_GLOBAL)
libc = ctypes.CDLL(None)
P, I = ctypes.c_void_p, ctypes.c_int
for where, name, result, arguments in [
    (base, "cmd_ln_parse_r", P, [P, P, I, ctypes.POINTER(ctypes.c_char_p), I]),
    (base, "err_set_logfp", None, [P]),
    (library, "ps_args", P, []),
    (library, "ps_init", P, [P]),
    (library, "ps_start_utt", I, [P]),
    (library, "ps_end_utt", I, [P]),
    (library, "ps_process_raw", I, [P, P, ctypes.c_size_t, I, I]),
    (library, "ps_decode_senscr", I, [P, P]),
    (library, "ps_seg_iter", P, [P, P]),
    (library, "ps_seg_next", P, [P]),
    (library, "ps_seg_word", ctypes.c_char_p, [P]),
    (library, "ps_seg_frames", None, [P, ctypes.POINTER(I), ctypes.POINTER(I)]),
    (libc, "fopen", P, [ctypes.c_char_p, ctypes.c_char_p]),
    (libc, "fclose", I, [P]),
]:
    function = getattr(where, name)
    function.restype, function.argtypes = result, arguments

HEAD = b"s3\nversion 0.1\nmdef_file -\nn_sen %d\nlogbase 1.000100\nendhdr\n" % STATES + struct.pack("<i", 0x11223344)


class Decoder:
    """A decoder with the stock model. Scores that are fed must be those of each frame in turn: the look-ahead of phones
    and the second pass of the search would read them again, so both are off."""

    def __init__(self, **options):
        base.err_set_logfp(libc.fopen(os.devnull.encode(), b"w"))
        self.folder = tempfile.mkdtemp(dir="/dev/shm")
        settings = {"hmm": MODEL + "en-us", "dict": MODEL + "cmudict-en-us.dict", "lm": MODEL + "en-us.lm.bin",
                    "remove_silence": "no", "compallsen": "yes", "pl_window": "0", "fwdflat": "no", **options}
        all = [text for name, value in settings.items() for text in ("-" + name, value)]
        argv = (ctypes.c_char_p * len(all))(*[o.encode() for o in all])
        self.decoder = library.ps_init(base.cmd_ln_parse_r(None, library.ps_args(), len(all), argv, 1))

    def _words(self):
        found, first, last = [], I(), I()
        self.times = []  # of the words: seconds where they begin and end
        segment = library.ps_seg_iter(self.decoder, None)
        while segment:
            word = library.ps_seg_word(segment).decode().split("(")[0]
            if word[0] not in "<[+":
                library.ps_seg_frames(segment, first, last)
                found.append(word)
                self.times.append((first.value / 100, (last.value + 1) / 100))
            segment = library.ps_seg_next(segment)
        return found

    def hear(self, samples):
        """Returns the words of 16-bit samples, 16,000 a second."""
        pcm = np.clip(samples, -32768, 32767).astype(np.int16).tobytes()
        library.ps_start_utt(self.decoder)
        library.ps_process_raw(self.decoder, pcm, len(pcm) // 2, 0, 1)
        library.ps_end_utt(self.decoder)
        return self._words()

    def read(self, costs):
        """Returns the words of costs in nats: [frames, states]."""
        costs = (costs - costs.min(1, keepdims=True)) / UNIT
        rows = np.empty((len(costs), 1 + STATES), np.int16)
        rows[:, 0], rows[:, 1:] = STATES, np.minimum(np.round(costs), 32000)
        path = os.path.join(self.folder, "fed")
        with open(path, "wb") as f:
            f.write(HEAD + rows.tobytes())
        file = libc.fopen(path.encode(), b"rb")
        library.ps_decode_senscr(self.decoder, file)
        libc.fclose(file)
        return self._words()


class Scorer(Decoder):
    """Tells what the Gaussians of all states cost. The search is only there to compute them."""

    def __init__(self):
        self.dump = tempfile.mkdtemp(dir="/dev/shm")
        super().__init__(senlogdir=self.dump, beam="1e-20", wbeam="1e-10", maxhmmpf="500", bestpath="no")

    def costs(self, samples):
        """Returns the costs in units of the library, [frames, states], and the words."""
        words = self.hear(samples)
        names = [os.path.join(self.dump, n) for n in os.listdir(self.dump)]
        with open(names[0], "rb") as f:
            data = f.read()
        for name in names:
            os.unlink(name)
        at = data.index(b"endhdr\n") + len(b"endhdr\n") + 4
        width = 2 * (1 + STATES)
        rows = np.frombuffer(data[at:at + (len(data) - at) // width * width], np.int16).reshape(-1, 1 + STATES)
        assert (rows[:, 0] == STATES).all()
        return rows[:, 1:].astype(np.float32), words
