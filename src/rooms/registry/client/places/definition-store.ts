import { setImmediate as nextTurn } from "node:timers/promises";
import { visible } from "../../../../kernel/text/visible.ts";
import type { Cache } from "../cache.ts";
import { type Definition, describe, forkMarkIn } from "../definitions/definition.ts";
import { DefinitionFault, maxDefinitionBytes, parseDefinition } from "../definitions/parse-definition.ts";
import { noVersion } from "../definitions/versions.ts";
import { brokenDefinition } from "../errors.ts";
import type { PluginFolder } from "../plugins/manifest.ts";
import type { Kind } from "../types.ts";
import { DefinitionIndex, stampOf } from "./definition-index.ts";
import { formatLine, type IndexedFile, IndexLines, LineFinder, parseLineStart } from "./index-lines.ts";
import { type AllowedRoots, type DefinitionRoot, unreadableReason } from "./roots.ts";
import { type Candidate, FolderScan, folderStamp } from "./scan.ts";
import { type Entry, StoredEntry } from "./stored-entry.ts";

/** What was found, for lists. */
export type StoreContent = { entries: Entry[]; broken: Candidate[]; plugins: PluginFolder[]; warnings: string[] };

/** What was found below one root: regular files, and others, such as links, which are read each time. */
type RootContent = { lines: IndexLines; others: IndexLines };

/** Each file as a line that there is already, by where it begins, or a new one; and the entry it is, if it is one. */
type SeenFiles = Record<keyof RootContent, (number | string)[]> & {
  entries: Record<keyof RootContent, (StoredEntry | undefined)[]>;
};

type Known = StoreContent & {
  roots: RootContent[];
  folders: Map<string, string>;
  at: number;
};

const maxDescription = 2_000;
const maxWarnings = 20;
/** How long a look at every file counts; what a page shows is looked at each time. */
const freshMs = 1_000;
/** How long reading may keep other calls waiting; a file's YAML can take half a second. */
const maxTurnMs = 20;
/** Files that are looked at in one go in the background. */
const atOnce = 250;

/** The definitions below some folders. The first look reads what the index does not know; later ones what changed. */
export class DefinitionStore {
  readonly #roots: readonly DefinitionRoot[];
  readonly #allowed: AllowedRoots;
  readonly #indexes: readonly DefinitionIndex[];
  #known: Promise<Known> | undefined;
  #isLooking = false;

  constructor(roots: readonly DefinitionRoot[], allowed: AllowedRoots, cache: Cache) {
    this.#roots = roots;
    this.#allowed = allowed;
    this.#indexes = roots.map(({ folder, layout }) => new DefinitionIndex(cache, `${layout} ${folder}`));
  }

  /** Everything there is, as of this moment. */
  async all(): Promise<StoreContent> {
    const known = await this.#known;
    const isFresh = known && Date.now() - known.at < freshMs && !haveFoldersChanged(known) && !hasFileChanged(known);
    return isFresh ? known : this.#lookAgain();
  }

  /**
   * For a list that shows a few of many: only its folders and the files it shows are looked at, and all of them again in
   * the background when the last look is old.
   */
  async page<T>(select: (known: StoreContent) => { shown: readonly Entry[]; answer: T }): Promise<T> {
    const known = await this.#known;
    if (!known) return select(await this.#lookAgain()).answer;
    const { shown, answer } = select(known);
    if (!isUnchanged(known, shown)) return select(await this.#lookAgain()).answer;
    if (Date.now() - known.at > freshMs && !this.#isLooking) {
      this.#isLooking = true;
      setImmediate(() => void this.#lookBehind(known));
    }
    return answer;
  }

  async load(entry: Pick<Entry, "path" | "kind" | "name">): Promise<Definition> {
    try {
      return await this.parse(entry.path, entry.kind, entry.name);
    } catch (error) {
      if (error instanceof DefinitionFault) throw brokenDefinition(entry.path, error.message, error.line);
      throw error;
    }
  }

  /** Throws a DefinitionFault where the file is not a definition. */
  async parse(path: string, kind: Kind, fallbackName?: string): Promise<Definition> {
    const text = await this.text(path);
    return parseDefinition(text, { path, kind, ...(fallbackName !== undefined && { fallbackName }) });
  }

  text(path: string): Promise<string> {
    return this.#allowed.read(path, maxDefinitionBytes);
  }

  /** Looks at all files a few at a time, so that calls in between do not wait, and reads again only if something changed. */
  async #lookBehind(known: Known): Promise<void> {
    try {
      const isEmpty = ({ others }: RootContent) => others.starts().next().done;
      if (!known.roots.every(isEmpty) || haveFoldersChanged(known)) return void (await this.#lookAgain());
      let looked = 0;
      for (const { lines } of known.roots) {
        for (const { path, stamp } of filesIn(lines)) {
          if (stampOf(path) !== stamp) return void (await this.#lookAgain());
          if (++looked % atOnce === 0) await nextTurn();
        }
      }
      known.at = Date.now();
    } catch {
      // The next call that needs the files says what is wrong.
    } finally {
      this.#isLooking = false;
    }
  }

  #lookAgain(): Promise<Known> {
    const before = this.#known?.catch(() => undefined);
    const looking = this.#look(before);
    this.#known = looking;
    looking.catch(() => {
      if (this.#known === looking) this.#known = undefined;
    });
    return looking;
  }

  async #look(looked: Promise<Known | undefined> | undefined): Promise<Known> {
    const before = await looked;
    const known: Known = {
      entries: [],
      broken: [],
      plugins: [],
      warnings: [],
      roots: [],
      folders: new Map(),
      at: Date.now(),
    };
    for (const [index, root] of this.#roots.entries()) {
      const scan = new FolderScan(root);
      known.roots.push(await this.#lookAt(newCandidates(scan, known), index, known, before?.roots[index]));
      const { plugins, folders, truncated } = scan.result;
      for (const [folder, stamp] of folders) known.folders.set(folder, stamp);
      known.plugins.push(...plugins.filter(({ folder }) => !known.plugins.some((other) => other.folder === folder)));
      if (truncated) known.warnings.push(`${visible(root.folder)} has too many files; not all of them were read.`);
    }
    return known;
  }

  /** A file that did not change is known from the last look, or from the index that a process before this one has written. */
  async #lookAt(
    candidates: Iterable<Candidate | "looked">,
    root: number,
    known: Known,
    before: RootContent | undefined,
  ): Promise<RootContent> {
    const index = this.#indexes[root];
    let last = before?.lines;
    let finder: LineFinder | undefined;
    const seen: SeenFiles = { lines: [], others: [], entries: { lines: [], others: [] } };
    let turned = performance.now();
    for (const candidate of candidates) {
      if (performance.now() - turned > maxTurnMs) {
        await nextTurn();
        turned = performance.now();
      }
      if (candidate === "looked") continue;
      last ??= (await index?.read()) ?? new IndexLines();
      finder ??= new LineFinder(last);
      const { path } = candidate;
      const stamp = stampOf(path);
      const found = stamp === undefined ? undefined : finder.find(path, stamp);
      const file = found?.file ?? (await this.#read(candidate));
      const kind = stamp === undefined ? "others" : "lines";
      seen[kind].push(found?.start ?? formatLine({ path, stamp: stamp ?? "", file }));
      seen.entries[kind].push(takeFile(candidate, file, known));
    }
    if (!last || !finder) return { lines: new IndexLines(), others: new IndexLines() };
    const isSame = finder.isAtEnd && seen.lines.every((line) => typeof line === "number");
    const lines = isSame ? last : last.with(seen.lines);
    if (!isSame) await index?.write(lines);
    return placeEntries({ lines, others: new IndexLines().with(seen.others) }, seen);
  }

  async #read(candidate: Candidate): Promise<IndexedFile> {
    const { path, kind, fallbackName, fallbackVersion, mayBeOther } = candidate;
    try {
      const definition = await this.parse(path, kind, fallbackName);
      // Other JSON and YAML lies around too; a definition says something of itself.
      if (mayBeOther && definition.form === "mcp-server" && definition.fields["implementation"] === undefined)
        return { other: true };
      return toIndexedFile(definition, fallbackVersion);
    } catch (error) {
      if (!(error instanceof DefinitionFault)) return { fault: unreadableReason(error) };
      if (mayBeOther && error.field === "file" && error.message.startsWith("it has no front matter"))
        return { other: true };
      return { fault: error.message, ...(error.line !== undefined && { line: error.line }) };
    }
  }
}

function toIndexedFile({ kind, name, version, fields }: Definition, fallbackVersion: string | undefined): IndexedFile {
  const { description, tags } = describe(fields, kind);
  const fork = forkMarkIn(fields);
  return {
    kind,
    name,
    version: version === noVersion ? (fallbackVersion ?? version) : version,
    ...(description !== undefined && { description: description.slice(0, maxDescription) }),
    ...(tags && { tags: tags.slice(0, 100) }),
    ...(fork && { fork }),
  };
}

/** Tells entries where their lines are. */
function placeEntries(content: RootContent, { entries }: SeenFiles): RootContent {
  for (const kind of ["lines", "others"] as const) {
    const starts = content[kind].starts();
    for (const entry of entries[kind]) {
      const { value } = starts.next();
      if (value !== undefined) entry?.place(content[kind], value);
    }
  }
  return content;
}

/** Those that were not met before: one folder may be part of another, and two plugins may name the same file. */
function* newCandidates(scan: FolderScan, known: Known): Generator<Candidate | "looked"> {
  let paths: Set<string> | undefined;
  for (const candidate of scan.candidates()) {
    if (candidate === "looked") {
      yield candidate;
      continue;
    }
    paths ??= new Set(
      known.roots.flatMap(({ lines, others }) => [...filesIn(lines), ...filesIn(others)].map(({ path }) => path)),
    );
    if (paths.has(candidate.path)) continue;
    if (candidate.plugin !== undefined) paths.add(candidate.path);
    yield candidate;
  }
}

function takeFile(candidate: Candidate, file: IndexedFile, known: Known): StoredEntry | undefined {
  if ("name" in file) {
    const entry = new StoredEntry(file, candidate);
    known.entries.push(entry);
    return entry;
  }
  if ("other" in file) return undefined;
  known.broken.push(candidate);
  const place = file.line === undefined ? "" : `, line ${file.line}`;
  if (known.warnings.length < maxWarnings) known.warnings.push(`${visible(candidate.path)}${place}: ${file.fault}.`);
  return undefined;
}

function isUnchanged(known: Known, shown: readonly Entry[]): boolean {
  for (const entry of shown)
    if (entry instanceof StoredEntry && entry.stamp !== (stampOf(entry.path) ?? "")) return false;
  return !haveFoldersChanged(known);
}

function hasFileChanged({ roots }: Known): boolean {
  for (const { lines } of roots) for (const { path, stamp } of filesIn(lines)) if (stampOf(path) !== stamp) return true;
  return false;
}

function* filesIn(lines: IndexLines): Generator<{ path: string; stamp: string }> {
  for (const start of lines.starts()) yield parseLineStart(lines.textAt(start));
}

function haveFoldersChanged({ folders }: Known): boolean {
  for (const [path, stamp] of folders) if (folderStamp(path) !== stamp) return true;
  return false;
}
