/** Where the code of others is: packages, standard libraries, test runners. */
const foreignPlaces = [
  "/node_modules/",
  "node:internal/",
  "(node:",
  "at node:",
  "/site-packages/",
  "/dist-packages/",
  "/lib/python",
  "<frozen ",
  "/.cargo/registry/",
  "/rustc/",
  "/pkg/mod/",
  "/usr/local/go/src/",
  "/usr/lib/go",
  "at java.base/",
  "at jdk.internal.",
  "at sun.",
  "at org.junit.",
  "at org.gradle.",
  "at org.apache.maven.",
];
const maxLineLength = 300;

/** A stack trace in which runs of lines about the code of others are one line each. */
export function foldFrames(text: string): string {
  const lines = text.split("\n").map((line) => line.slice(0, maxLineLength));
  const folded: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const end = findForeignEnd(lines, at);
    const frames = lines.slice(at, end).filter(isForeignPlace).length;
    if (end > at) folded.push(`    … ${frames} ${frames === 1 ? "frame" : "frames"} in dependencies`);
    else folded.push(lines[at++] ?? "");
    at = Math.max(at, end);
  }
  return folded.join("\n");
}

/** The line after the frames of others that begin here; the same line if none begins. */
function findForeignEnd(lines: readonly string[], start: number): number {
  let at = start;
  for (;;) {
    const length = frameLength(lines, at);
    if (length === 0) return at;
    at += length;
  }
}

/** How many lines a frame of others has. Go and Rust write the place on a second line, Python the code. */
function frameLength(lines: readonly string[], at: number): number {
  const [line = "", next = ""] = lines.slice(at, at + 2);
  if (isForeignPlace(line)) {
    if (!/^\s*File "/.test(line)) return 1;
    const rest = lines.slice(at + 1);
    const end = rest.findIndex((one) => !/^ {4,}\S/.test(one) || /^\s*File "/.test(one));
    return 1 + (end === -1 ? rest.length : end);
  }
  const isCall = /^\s*\d+: |^\S.{0,250}\)$/.test(line) && /^\s/.test(next) && /\/[^\s:/]{1,200}:\d/.test(next);
  return isCall && isForeignPlace(next) ? 2 : 0;
}

function isForeignPlace(line: string): boolean {
  return /^\s*(?:at |❯ |File "|\/|\d+: )/.test(line) && foreignPlaces.some((place) => line.includes(place));
}
