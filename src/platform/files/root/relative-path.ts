import { ForgeError } from "../../../kernel/errors.ts";
import { visible } from "../../../kernel/text/visible.ts";

const maxPathLength = 4096;
const maxNameBytes = 255;

/** Names that Windows gives to devices, with any extension; superscript digits count as digits there. */
const windowsDevice = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\.|$)/i;

/**
 * What no part of a path may be, on any system: a project is shared between systems, and what is a plain name on one is a
 * way out on another.
 */
const refusedNames: [why: string, test: (name: string) => boolean][] = [
  ["contains ..", (name) => name === ".."],
  ["contains a control character", (name) => /\p{Cc}/u.test(name)],
  ["contains a lone surrogate", (name) => /\p{Cs}/u.test(name)],
  ["contains a backslash", (name) => name.includes("\\")],
  ["contains a colon (a drive or a hidden stream on Windows)", (name) => name.includes(":")],
  ["ends in a dot or a space, which Windows drops", (name) => /[. ]$/.test(name)],
  ["contains a percent-encoded dot or separator", (name) => /%(?:2e|2f|5c|00)/i.test(name)],
  ["is a device name on Windows", (name) => windowsDevice.test(name)],
  [`is longer than ${maxNameBytes} bytes`, (name) => Buffer.byteLength(name) > maxNameBytes],
];

/**
 * The names a relative path is made of; none for the root itself. Throws where it is not plainly a way down from the root.
 * `.` and doubled slashes say nothing and are dropped.
 */
export function parsePath(path: string): string[] {
  if (path.length > maxPathLength) throw refusedPath(path, `is longer than ${maxPathLength} characters`);
  if (path.startsWith("/")) throw refusedPath(path, "is absolute");
  if (path.startsWith("~")) throw refusedPath(path, "starts at a home folder (~)");
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  for (const name of names) {
    const reason = refusedNames.find(([, test]) => test(name));
    if (reason) throw refusedPath(path, reason[0]);
  }
  return names;
}

function refusedPath(path: string, why: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `The path ${showPath(path)} ${why}.`, {
    details: { path: path.slice(0, 200) },
    next: ["Use a path relative to the project's folder, with forward slashes: src/main.ts."],
  });
}

/** A path for a message: quoted, with invisible characters escaped, and not too long. */
export function showPath(path: string): string {
  const short = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  return visible(JSON.stringify(short));
}
