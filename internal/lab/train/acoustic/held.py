"""The speakers that are never trained on."""

LIBRISPEECH = {"118", "226", "1088", "1970", "6272"}


def held(id):
    """Reports whether an utterance, CORPUS-SPEAKER-…, is by a speaker that is held out."""
    corpus, speaker = id.split("-")[:2]
    return corpus == "ls" and speaker in LIBRISPEECH or corpus == "so" and speaker.endswith("7")
