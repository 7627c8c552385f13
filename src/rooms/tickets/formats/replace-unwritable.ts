/** Characters that XML 1.0 cannot contain, not even as references, and that text files or editors break. */
const unwritable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Replaces each such character by a mark; the remainder records what it was. */
export function replaceUnwritable(text: string): string {
  return text.replace(unwritable, "\ufffd");
}
