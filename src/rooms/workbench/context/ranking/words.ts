/** Words of no meaning for a search, in English and in tasks. */
const stopWords = new Set(
  [
    "a an and are as at be been but by can could do does done for from get gets given had has have how if in into is it its",
    "let lets like may must no not of off on once one only or other others out own same set sets should so some such than",
    "that the their them then there these they this those to too under until up use used uses using very via was way what",
    "when where which while who why will with within without would you your also any all each both more most new now add",
    "adds added make makes made support supports instead itself because before after about above below between during",
    "through just here even ever never always well take takes taken give gives need needs needed say says said tell call",
    "called calls cannot implement implements create creates update updates",
  ].flatMap((line) => line.split(" ")),
);

/** The longest first: `matchers` and `matching` are both `match`. */
const endings = ["ions", "ings", "ion", "ing", "ers", "ies", "er", "ed", "es", "s", "e", "y"];
const minStemLength = 3;

/** Identifiers and plain words of a text, as they are written. `content-type` is one. */
export function listIdentifiers(text: string): string[] {
  return text.match(/[A-Za-z_$][\w$]*(?:-[a-z]\w*)*|\p{L}+/gu) ?? [];
}

/** `getHTTPServer`, `get_http_server` and `get-http-server` are `get`, `http`, `server`. */
export function splitIdentifier(identifier: string): string[] {
  return identifier
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .split(/[\s_$.-]+/)
    .filter((part) => part !== "")
    .map((part) => part.toLowerCase());
}

/** The part that a word shares with its other forms, as far as a simple rule can tell. */
export function stemWord(word: string): string {
  for (const ending of endings) {
    const stem = word.slice(0, -ending.length);
    if (!word.endsWith(ending) || stem.length < minStemLength || (ending === "s" && word.endsWith("ss"))) continue;
    // `wrapped` is `wrap`.
    return stem.length > minStemLength && /([^lsz])\1$/.test(stem) ? stem.slice(0, -1) : stem;
  }
  return word;
}

/** The word itself is meant, in lower case. */
export function isStopWord(word: string): boolean {
  return word.length < 2 || stopWords.has(word);
}

/** How an identifier of several words is searched for as one: `defaultMap` and `default_map` are the same. */
export function joinWords(words: readonly string[]): string {
  return `=${words.join("")}`;
}
