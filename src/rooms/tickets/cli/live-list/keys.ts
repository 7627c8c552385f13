const names = {
  "[A": "up",
  OA: "up",
  "[B": "down",
  OB: "down",
  "[5~": "page-up",
  "[6~": "page-down",
  "[H": "home",
  OH: "home",
  "[1~": "home",
  "[7~": "home",
  "[F": "end",
  OF: "end",
  "[4~": "end",
  "[8~": "end",
} as const;

const controls = {
  "\r": "enter",
  "\n": "enter",
  "\b": "backspace",
  "\x7f": "backspace",
  "\x03": "interrupt",
  "\x0c": "redraw",
  "\x15": "erase-line",
} as const;

type KeyName = (typeof names)[keyof typeof names] | (typeof controls)[keyof typeof controls] | "escape";

export type Key = { name: KeyName } | { text: string };

const esc = "\x1b";
/** What follows the escape character in all special keys except Escape itself. */
const sequence = /\[[ -?]{0,32}[@-~]|O[A-Za-z]/y;

/**
 * What was pressed, from what a terminal sends. The Escape key and the beginning of every other special key are the same
 * character; terminals send a whole key at once, so that character followed by nothing is the Escape key.
 */
export function keysIn(sent: string): Key[] {
  const keys: Key[] = [];
  for (let at = 0; at < sent.length; ) {
    const character = String.fromCodePoint(sent.codePointAt(at) ?? 0);
    sequence.lastIndex = at + 1;
    const [special] = (character === esc && sequence.exec(sent)) || [];
    const key = special === undefined ? keyOf(character) : findKey(names, special);
    if (key) keys.push(key);
    at += character.length + (special?.length ?? 0);
  }
  return keys;
}

function keyOf(character: string): Key | undefined {
  if (character === esc) return { name: "escape" };
  const key = findKey(controls, character);
  return key ?? (character < " " ? undefined : { text: character });
}

function findKey<Names extends Record<string, KeyName>>(table: Names, sent: string): Key | undefined {
  const name = Object.hasOwn(table, sent) ? table[sent] : undefined;
  return name && { name };
}
