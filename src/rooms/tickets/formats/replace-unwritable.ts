/** What XML 1.0 has no way to write, not even as a reference, and what a text file loses or an editor breaks. */
const unwritable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** With a mark in the place of every such character; the remainder knows what it was. */
export function replaceUnwritable(text: string): string {
  return text.replace(unwritable, "\ufffd");
}
