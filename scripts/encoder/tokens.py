"""Words of a text, exactly as src/platform/embed/tokenizer.ts makes them."""
import re
import unicodedata

_CAMEL = re.compile(r"([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])")
_WORD = re.compile(r"[a-z][a-z0-9]*|[0-9]+")


def words_of(text: str) -> list[str]:
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    # Twice: the matches of "aBCd" overlap.
    text = _CAMEL.sub(lambda m: f"{m[1] or m[3]} {m[2] or m[4]}", text)
    text = _CAMEL.sub(lambda m: f"{m[1] or m[3]} {m[2] or m[4]}", text)
    text = text.lower().replace("'s ", " ").replace("’s ", " ").replace("'", "").replace("’", "")
    return _WORD.findall(text)
