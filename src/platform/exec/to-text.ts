/** What terminals obey: colours and cursor movements; titles and links; and the short commands. */
const sequences = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?/g,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the same; one without an end must not swallow the next line
  /\u001b[\]PX^_][^\n\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?/g,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the same
  /\u001b[ -/]*[0-~]?/g,
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: all but the tab; lines are taken apart before
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * A program's output as plain text that is safe to show: what is not UTF-8 becomes U+FFFD, terminal
 * sequences and control characters go, and of a line that was written over again (a progress bar) the last writing stays.
 */
export function toText(output: Uint8Array): string {
  let text = new TextDecoder().decode(output);
  for (const sequence of sequences) text = text.replace(sequence, "");
  return text
    .split("\n")
    .map((line) => lastOverwrite(line).replace(controls, ""))
    .join("\n");
}

function lastOverwrite(line: string): string {
  const written = line.endsWith("\r") ? line.slice(0, -1) : line;
  return written.slice(written.lastIndexOf("\r") + 1);
}
