const stopWords = new Set(
  [
    "the and with for add adds added implement implements create creates update updates can should must when then that",
    "this from into all new use uses using used file files test tests testing src lib code function functions support",
    "make each not are its have has will was been does where which what who how also such only via per any both more",
    "task tasks system based index main mod app given returns return value values data",
  ].flatMap((line) => line.split(" ")),
);
const minWordLength = 3;
const maxWords = 200;

/** The words of a text or path in lower case, without stop words; `camelCase` and `snake_case` are split. */
export function extractWords(text: string): string[] {
  const words = text
    .slice(0, 20_000)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => (word.length > 4 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word));
  return [...new Set(words)].filter((word) => word.length >= minWordLength && !stopWords.has(word)).slice(0, maxWords);
}

/** The similarity of two words, from 0 to 1: `auth` and `authentication` are somewhat similar. */
export function compareWords(a: string, b: string): number {
  if (a === b) return 1;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= 4 && long.startsWith(short) ? 0.6 : 0;
}
