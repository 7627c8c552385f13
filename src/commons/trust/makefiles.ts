import { isAbsolute, posix, relative, resolve } from "node:path";
import { entryAt } from "../../platform/files/entry-at.ts";
import { realPlace } from "../../platform/files/real-place.ts";
import { readPinned } from "../../platform/state/pinned-file.ts";
import type { Runnable } from "./runnable.ts";

const makes = new Set(["make", "gmake"]);
const makefileNames = ["GNUmakefile", "makefile", "Makefile"];
const maxMakefiles = 50;

export function isMake(program: string): boolean {
  return makes.has(program);
}

type MakeWords = {
  /** The makefiles that options name, in order. */
  files: string[];
  /** Where it runs, from the project's root, if not there. */
  folder: string | undefined;
  /** The words after the program without those for makefiles. */
  others: string[];
};

/** After flags without a value, as in `-kf x`. */
const fileOption =
  /^(?:-(?<flags>[BbdeiknpqrRsStvw]*)(?<short>[fC])|--(?<long>file|makefile|directory)(?:=|$))(?<value>.*)$/s;

/** What the words of a `make` command say of its makefiles: `-f x`, `-fx`, `--file=x`, `-C folder` and so on. */
export function parseMakeWords([, ...words]: readonly string[]): MakeWords {
  const parsed: MakeWords = { files: [], folder: undefined, others: [] };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    const { flags, short, long, value = "" } = fileOption.exec(word)?.groups ?? {};
    if (flags !== undefined && flags !== "") parsed.others.push(`-${flags}`);
    const option = short ?? long;
    const given = value !== "" || word.startsWith(`--${long}=`) ? value : (words[at + 1] ?? "");
    if (option === undefined) parsed.others.push(word);
    else if (option === "C" || option === "directory") {
      parsed.folder = posix.join(parsed.folder ?? "", given);
      parsed.others.push("-C", given);
    } else parsed.files.push(posix.normalize(given));
    if (option !== undefined && given !== value) at++;
  }
  return parsed;
}

/** A directive with its names, which may go on in the next line. */
const includeLine = /^([ \t]*[-s]?include[ \t]+)((?:\\\r?\n|[^\n#])+)/gm;

/** The makefile's text with other names in its `include` lines. */
export function renameIncludes(text: string, rename: (name: string) => string): string {
  return text.replace(
    includeLine,
    (_line, start: string, names: string) => start + splitNames(names).map(rename).join(" "),
  );
}

function splitNames(names: string): string[] {
  return names
    .replace(/\\\r?\n/g, " ")
    .trim()
    .split(/\s+/);
}

/** The makefiles, and what they include by a plain name: they say what `make test` runs. */
export function listMakefiles(root: string, words: readonly string[]): Runnable[] {
  const { files, folder = "." } = parseMakeWords(words);
  // From there it reads makefiles that are not the project's.
  const way = relative(root, resolve(root, folder));
  if (way.startsWith("..") || isAbsolute(way)) return [];
  const fromRoot = (name: string) => (isAbsolute(name) ? name : posix.join(way, name));
  const usual = makefileNames.map(fromRoot).find((name) => entryAt(resolve(root, name)));
  const found = new Set(files.length > 0 ? files.map(fromRoot) : usual === undefined ? [] : [usual]);
  for (const file of found) {
    const read = readPinned(resolve(realPlace(root), file), [realPlace(root)]);
    if ("why" in read || found.size > maxMakefiles) continue;
    for (const [, , names = ""] of read.bytes.toString().matchAll(includeLine))
      for (const name of splitNames(names).map(fromRoot))
        if (!/[$*?[%]/.test(name) && entryAt(resolve(root, name))) found.add(posix.normalize(name));
  }
  return [...found].map((file) => ({ id: `script:${file}`, file }));
}
