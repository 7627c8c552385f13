import { setImmediate as nextTurn } from "node:timers/promises";
import { visible } from "../../../../kernel/text/visible.ts";
import { entryAt } from "../../../../platform/files/entry-at.ts";
import { realPathOf } from "../../../../platform/files/real-place.ts";
import type { Cache } from "../cache.ts";
import { type Definition, describe, type ForkMark, forkMarkIn } from "../definitions/definition.ts";
import { DefinitionFault, maxDefinitionBytes, parseDefinition } from "../definitions/parse-definition.ts";
import { noVersion } from "../definitions/versions.ts";
import { brokenDefinition } from "../errors.ts";
import type { PluginFolder } from "../plugins/manifest.ts";
import type { Kind, Source } from "../types.ts";
import { DefinitionIndex, type IndexedFile, type IndexLine, stampOf } from "./definition-index.ts";
import { type AllowedRoots, type DefinitionRoot, unreadableReason } from "./roots.ts";
import { type Candidate, scanRoot } from "./scan.ts";

/** A definition on disk, as lists show it. */
export type Entry = {
  kind: Kind;
  name: string;
  version: string;
  description?: string;
  tags?: string[];
  source: Source;
  path: string;
  plugin?: string;
  fork?: ForkMark;
};

/** What was found, for lists. */
export type StoreContent = { entries: Entry[]; broken: Candidate[]; plugins: PluginFolder[]; warnings: string[] };

/** A file that was looked at. Its stamp is undefined where it is not a regular file. */
type Held = { stamp: string | undefined; content: Entry | Fault | undefined };
type Fault = Extract<IndexedFile, { fault: string }>;

type Known = StoreContent & {
  files: Map<string, Held>;
  /** How many of them each root has. */
  counts: number[];
  folders: Map<string, string>;
  /** Whether something was read that is not a regular file, such as a link: whether that has changed does not show. */
  hasOthers: boolean;
  at: number;
};

const maxDescription = 2_000;
const maxWarnings = 20;
/** How long a look at every file counts; what a page shows is looked at each time. */
const freshMs = 1_000;
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
    if (known && Date.now() - known.at < freshMs && isUnchanged(known, known.entries)) return known;
    return this.#lookAgain();
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
      if (known.hasOthers || haveFoldersChanged(known)) return void (await this.#lookAgain());
      let looked = 0;
      for (const [path, { stamp }] of known.files) {
        if (stampOf(path) !== stamp) return void (await this.#lookAgain());
        if (++looked % atOnce === 0) await nextTurn();
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
      files: new Map(),
      counts: [],
      folders: new Map(),
      hasOthers: false,
      at: Date.now(),
    };
    for (const [index, root] of this.#roots.entries()) {
      const { candidates, plugins, folders, truncated } = scanRoot(root);
      for (const folder of folders) known.folders.set(folder, folderStamp(folder));
      await this.#lookAt(index, candidates, known, before);
      known.plugins.push(...plugins.filter(({ folder }) => !known.plugins.some((other) => other.folder === folder)));
      if (truncated) known.warnings.push(`${visible(root.folder)} has too many files; not all of them were read.`);
    }
    return known;
  }

  /** A file that did not change is known from the last look, or from the index that a process before this one has written. */
  async #lookAt(
    place: number,
    candidates: readonly Candidate[],
    known: Known,
    before: Known | undefined,
  ): Promise<void> {
    const index = this.#indexes[place];
    const own = known.files.size === 0 ? candidates : candidates.filter(({ path }) => !known.files.has(path));
    known.counts[place] = own.length;
    if (own.length === 0 || !index) return;
    const written = before ? undefined : await index.open();
    let isChanged = false;
    for (const candidate of own) {
      const stamp = stampOf(candidate.path);
      const last = before?.files.get(candidate.path);
      if (stamp !== undefined && last?.stamp === stamp && isOf(candidate, last.content)) {
        hold(candidate, last, known);
        continue;
      }
      const found = stamp === undefined ? undefined : written?.find(candidate.path, stamp);
      if (stamp !== undefined && !found) isChanged = true;
      hold(candidate, { stamp, content: contentOf(candidate, found ?? (await this.#read(candidate))) }, known);
    }
    const isSame = before ? before.counts[place] === own.length : written?.isReadToEnd;
    if (isChanged || !isSame) await index.write(linesOf(own, known));
  }

  async #read(candidate: Candidate): Promise<IndexedFile> {
    const { path, kind, fallbackName, fallbackVersion, mayBeOther } = candidate;
    try {
      const definition = await this.parse(path, kind, fallbackName);
      // Other JSON and YAML lies around too; a definition says something of itself.
      if (mayBeOther && definition.form === "mcp-server" && definition.fields["implementation"] === undefined)
        return { other: true };
      return indexed(definition, fallbackVersion);
    } catch (error) {
      if (!(error instanceof DefinitionFault)) return { fault: unreadableReason(error) };
      if (mayBeOther && error.field === "file" && error.message.startsWith("it has no front matter"))
        return { other: true };
      return { fault: error.message, ...(error.line !== undefined && { line: error.line }) };
    }
  }
}

function indexed({ kind, name, version, fields }: Definition, fallbackVersion: string | undefined): IndexedFile {
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

function hold(candidate: Candidate, held: Held, known: Known): void {
  const { stamp, content } = held;
  if (stamp === undefined) known.hasOthers = true;
  known.files.set(candidate.path, held);
  if (!content) return;
  if (!("fault" in content)) return void known.entries.push(content);
  known.broken.push(candidate);
  const place = content.line === undefined ? "" : `, line ${content.line}`;
  if (known.warnings.length < maxWarnings) known.warnings.push(`${visible(candidate.path)}${place}: ${content.fault}.`);
}

function contentOf({ source, path, plugin }: Candidate, file: IndexedFile): Held["content"] {
  if ("other" in file) return undefined;
  return "fault" in file ? file : { ...file, source, path, ...(plugin !== undefined && { plugin }) };
}

/** A folder may have become another plugin's. */
function isOf({ source, plugin }: Candidate, content: Held["content"]): boolean {
  return !content || "fault" in content || (content.source === source && content.plugin === plugin);
}

function* linesOf(candidates: readonly Candidate[], { files }: Known): Generator<IndexLine> {
  for (const { path } of candidates) {
    const { stamp, content } = files.get(path) ?? {};
    if (stamp !== undefined) yield { path, stamp, file: fileOf(content) };
  }
}

function fileOf(content: Held["content"]): IndexedFile {
  if (!content) return { other: true };
  if ("fault" in content) return content;
  const { source: _source, path: _path, plugin: _plugin, ...file } = content;
  return file;
}

function isUnchanged(known: Known, shown: readonly Entry[]): boolean {
  for (const { path } of shown) if (known.files.get(path)?.stamp !== stampOf(path)) return false;
  return !haveFoldersChanged(known);
}

function haveFoldersChanged({ folders }: Known): boolean {
  for (const [path, stamp] of folders) if (folderStamp(path) !== stamp) return true;
  return false;
}

/** A folder changes when something is added to it, removed or renamed. */
function folderStamp(folder: string): string {
  const entry = entryAt(realPathOf(folder) ?? folder);
  return `${entry?.mtimeMs}:${entry?.ctimeMs}`;
}
