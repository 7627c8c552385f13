import { basename, join } from "node:path";
import { entryAt } from "../../../../platform/files/entry-at.ts";
import { realPathOf } from "../../../../platform/files/real-place.ts";
import { listFolder } from "../../../../platform/files/root/list-folder.ts";
import { originalName } from "../../../../platform/files/write/replace-folder.ts";
import { isFolder } from "../../../../platform/state/project.ts";
import {
  componentPaths,
  findManifest,
  localPlugins,
  type PluginFolder,
  type PluginManifest,
} from "../plugins/manifest.ts";
import type { Kind, Source } from "../types.ts";
import type { DefinitionRoot } from "./roots.ts";

/** A file that may be a definition. */
export type Candidate = {
  path: string;
  source: Source;
  kind: Kind;
  fallbackName: string;
  /** From a folder or file name such as `reviewer@1.2.0`. */
  fallbackVersion?: string;
  plugin?: string;
  /** Other Markdown lies in the same folders; what has no front matter is none of ours. */
  mayBeOther?: true;
};

/** What a scan has found besides candidates, complete once it has ended. */
export type Scanned = {
  plugins: PluginFolder[];
  /** Each with its stamp from before it was listed. */
  folders: Map<string, string>;
  truncated: boolean;
};

const maxEntries = 50_000;
const maxDepth = 4;
const definitionFile = /\.(?:ya?ml|md|json)$/;

/**
 * Looks for definitions and plugins below a folder. Opens none of the files but manifests of plugins. Candidates come one at a
 * time: as a list, those of ten thousand files would take more memory than what is kept of them.
 */
export class FolderScan {
  readonly result: Scanned = { plugins: [], folders: new Map(), truncated: false };
  readonly #root: DefinitionRoot;
  readonly #top: string;
  #count = 0;

  constructor(root: DefinitionRoot) {
    this.#root = root;
    this.#top = realPathOf(root.folder) ?? root.folder;
  }

  /** `looked`: a folder was looked at that may have none, and the caller can let others have their turn. */
  *candidates(): Generator<Candidate | "looked"> {
    const { folder, layout } = this.#root;
    if (!isFolder(folder)) return;
    if (layout === "fractary") {
      yield* this.#kindFolder(join(folder, "agents"), "agent");
      yield* this.#kindFolder(join(folder, "tools"), "tool");
      yield* this.#pluginsFolder(join(folder, "plugins"), "");
    } else if (layout === "client") {
      yield* this.#kindFolder(join(folder, "agents"), "agent", { mayBeOther: true });
      yield* this.#kindFolder(join(folder, "skills"), "agent", { mayBeOther: true });
    } else if (layout === "project") yield* this.#project(folder);
    else yield* this.#kindFolder(folder, layout === "agents" ? "agent" : "tool");
  }

  /** A checkout of a plugin, a marketplace or a collection of plugins. */
  *#project(folder: string): Generator<Candidate | "looked"> {
    yield* this.#plugin(folder);
    for (const inner of localPlugins(folder)) yield* this.#plugin(inner.folder, basename(inner.folder), inner.listed);
    const server = join(folder, "server.json");
    if (entryAt(server)?.isFile()) yield* this.#file(server, "tool", { mayBeOther: true });
  }

  *#pluginsFolder(folder: string, scope: string): Generator<Candidate | "looked"> {
    const entries = this.#list(folder);
    for (const { name, kind } of entries) {
      const path = join(folder, name);
      if (kind !== "folder" && !(kind === "link" && isFolder(path))) continue;
      // An installation that was interrupted has left the old folder under another name.
      const former = originalName(name);
      const isHidden = name.startsWith(".") && (former === undefined || entries.some((other) => other.name === former));
      if (isHidden) continue;
      if (name.startsWith("@") && scope === "") yield* this.#pluginsFolder(path, `${name}/`);
      else yield* this.#plugin(path, `${scope}${former ?? name}`);
    }
  }

  *#plugin(folder: string, fallbackName = basename(folder), listed?: PluginManifest): Generator<Candidate | "looked"> {
    if (!this.#isInside(folder)) return;
    const manifest = findManifest(folder) ?? listed;
    yield "looked";
    const hasParts = ["agents", "tools", "skills"].some((name) => isFolder(join(folder, name)));
    // A folder of plugins may contain one with settings only.
    if (!manifest && (!hasParts || this.#root.layout === "project")) return;
    const name = manifest?.name ?? fallbackName;
    const scope = this.#root.source === "local" ? "local" : "global";
    this.result.plugins.push({ name, folder, manifest, scope, source: this.#root.source });
    yield* this.#parts(folder, manifest, manifest !== undefined && manifest === listed, name);
  }

  *#parts(
    folder: string,
    manifest: PluginManifest | undefined,
    isListed: boolean,
    plugin: string,
  ): Generator<Candidate> {
    const rest = { plugin, mayBeOther: true as const };
    const named = componentPaths(folder, manifest);
    // Several plugins of a marketplace may share one folder, each naming what is its own.
    const usual = isListed && named.length > 0 ? [] : ["agents", "tools", "skills"];
    const found: string[] = [];
    for (const part of usual)
      for (const candidate of this.#kindFolder(join(folder, part), part === "tools" ? "tool" : "agent", rest)) {
        if (named.length > 0) found.push(candidate.path);
        yield candidate;
      }
    for (const { path, kind } of named) {
      // What is in the usual folders was found before.
      const isFound = found.some((other) => other === path || other.startsWith(`${path}/`));
      if (!isFound) yield* this.#scanNamed(path, kind, rest);
    }
  }

  /** A file or folder that a manifest names. */
  *#scanNamed(path: string, kind: Kind, rest: Partial<Candidate>): Generator<Candidate> {
    if (!this.#isInside(path)) return;
    if (entryAt(path)?.isFile()) yield* this.#file(path, kind, rest);
    else if (entryAt(path)?.isDirectory()) {
      const files = this.#definitionsIn(path, kind);
      if (files.length > 0) yield* this.#definition(path, files, kind, basename(path), rest);
      else yield* this.#kindFolder(path, kind, rest);
    }
  }

  *#kindFolder(
    folder: string,
    kind: Kind,
    rest: Partial<Candidate> = {},
    prefix = "",
    depth = 0,
  ): Generator<Candidate> {
    if (depth > maxDepth) return;
    for (const { name, kind: type } of this.#list(folder)) {
      if (name.startsWith(".")) continue;
      const path = join(folder, name);
      if (definitionFile.test(name)) {
        const own = { ...rest, ...splitFileName(name.replace(definitionFile, ""), prefix) };
        if (type !== "folder") yield* this.#file(path, kind, own);
        continue;
      }
      if (type !== "folder" && !(type === "link" && isFolder(path))) continue;
      const files = this.#definitionsIn(path, kind);
      if (files.length > 0)
        yield* this.#definition(path, files, kind, name, { ...rest, ...splitFileName(name, prefix) });
      else yield* this.#kindFolder(path, kind, rest, name.startsWith("@") ? `${name}/` : prefix, depth + 1);
    }
  }

  /** The files of a folder of one definition: `agent.md` before `agent.yaml`, or a skill. */
  #definitionsIn(folder: string, kind: Kind): string[] {
    const names = [`${kind}.md`, `${kind}.yaml`, `${kind}.yml`, "SKILL.md", "skill.md"];
    const found = names.filter((file) => entryAt(join(folder, file)) !== undefined);
    return found.length > 0 && this.#isInside(folder) ? found.slice(0, 2) : [];
  }

  *#definition(
    folder: string,
    files: readonly string[],
    kind: Kind,
    name: string,
    rest: Partial<Candidate>,
  ): Generator<Candidate> {
    const { mayBeOther: _, ...own } = rest;
    for (const file of files) yield* this.#file(join(folder, file), kind, { fallbackName: name, ...own });
  }

  *#file(path: string, kind: Kind, rest: Partial<Candidate>): Generator<Candidate> {
    if (++this.#count > maxEntries) this.result.truncated = true;
    else
      yield {
        path,
        source: this.#root.source,
        kind,
        fallbackName: basename(path).replace(definitionFile, ""),
        ...rest,
      };
  }

  #list(folder: string): ReturnType<typeof listFolder>["entries"] {
    if (!isFolder(folder) || !this.#isInside(folder)) return [];
    this.result.folders.set(folder, folderStamp(folder));
    const { entries, truncated } = listFolder(folder, maxEntries);
    if (truncated) this.result.truncated = true;
    return entries;
  }

  /** A project's links may not lead out of it; in the user's own folders they may: dotfiles are often kept so. */
  #isInside(path: string): boolean {
    if (this.#root.source === "global") return true;
    const real = realPathOf(path);
    return real !== undefined && (real === this.#top || real.startsWith(`${this.#top}/`));
  }
}

/** A folder changes when something is added to it, removed or renamed. */
export function folderStamp(folder: string): string {
  const entry = entryAt(realPathOf(folder) ?? folder);
  return `${entry?.mtimeMs}:${entry?.ctimeMs}`;
}

/** `reviewer@1.2.0` in a file's or folder's name. */
function splitFileName(name: string, prefix: string): Pick<Candidate, "fallbackName" | "fallbackVersion"> {
  const at = name.indexOf("@", 1);
  if (at < 0) return { fallbackName: prefix + name };
  return { fallbackName: prefix + name.slice(0, at), fallbackVersion: name.slice(at + 1) };
}
