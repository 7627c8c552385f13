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

export type Scanned = { candidates: Candidate[]; plugins: PluginFolder[]; folders: string[]; truncated: boolean };

const maxEntries = 50_000;
const maxDepth = 4;
const definitionFile = /\.(?:ya?ml|md|json)$/;

/** Looks for definitions and plugins below a folder. Opens none of the files but manifests of plugins. */
export function scanRoot(root: DefinitionRoot): Scanned {
  const scan = new FolderScan(root);
  if (isFolder(root.folder)) scan.lookAt(root.folder);
  return scan.result;
}

class FolderScan {
  readonly result: Scanned = { candidates: [], plugins: [], folders: [], truncated: false };
  readonly #root: DefinitionRoot;
  readonly #top: string;

  constructor(root: DefinitionRoot) {
    this.#root = root;
    this.#top = realPathOf(root.folder) ?? root.folder;
  }

  lookAt(folder: string): void {
    const { layout } = this.#root;
    if (layout === "fractary") {
      this.#kindFolder(join(folder, "agents"), "agent");
      this.#kindFolder(join(folder, "tools"), "tool");
      this.#pluginsFolder(join(folder, "plugins"), "");
    } else if (layout === "client") {
      this.#kindFolder(join(folder, "agents"), "agent", { mayBeOther: true });
      this.#kindFolder(join(folder, "skills"), "agent", { mayBeOther: true });
    } else if (layout === "project") this.#project(folder);
    else this.#kindFolder(folder, layout === "agents" ? "agent" : "tool");
  }

  /** A checkout of a plugin, a marketplace or a collection of plugins. */
  #project(folder: string): void {
    this.#plugin(folder);
    for (const inner of localPlugins(folder)) this.#plugin(inner.folder, basename(inner.folder), inner.listed);
    const server = join(folder, "server.json");
    if (entryAt(server)?.isFile()) this.#add(server, "tool", { mayBeOther: true });
  }

  #pluginsFolder(folder: string, scope: string): void {
    const entries = this.#list(folder);
    for (const { name, kind } of entries) {
      const path = join(folder, name);
      if (kind !== "folder" && !(kind === "link" && isFolder(path))) continue;
      // An installation that was interrupted has left the old folder under another name.
      const former = originalName(name);
      const isHidden = name.startsWith(".") && (former === undefined || entries.some((other) => other.name === former));
      if (isHidden) continue;
      if (name.startsWith("@") && scope === "") this.#pluginsFolder(path, `${name}/`);
      else this.#plugin(path, `${scope}${former ?? name}`);
    }
  }

  #plugin(folder: string, fallbackName = basename(folder), listed?: PluginManifest): void {
    if (!this.#isInside(folder)) return;
    const manifest = findManifest(folder) ?? listed;
    const hasParts = ["agents", "tools", "skills"].some((name) => isFolder(join(folder, name)));
    // A folder of plugins may contain one with settings only.
    if (!manifest && (!hasParts || this.#root.layout === "project")) return;
    const name = manifest?.name ?? fallbackName;
    const scope = this.#root.source === "local" ? "local" : "global";
    this.result.plugins.push({ name, folder, manifest, scope, source: this.#root.source });
    const rest = { plugin: name, mayBeOther: true as const };
    const named = componentPaths(folder, manifest);
    // Several plugins of a marketplace may share one folder, each naming what is its own.
    const isShared = manifest !== undefined && manifest === listed && named.length > 0;
    for (const part of isShared ? [] : ["agents", "tools", "skills"])
      this.#kindFolder(join(folder, part), part === "tools" ? "tool" : "agent", rest);
    for (const { path, kind } of named) this.#named(path, kind, rest);
  }

  /** A file or folder that a manifest names; what is in the usual folders was found before. */
  #named(path: string, kind: Kind, rest: Partial<Candidate>): void {
    if (this.result.candidates.some((candidate) => candidate.path === path || candidate.path.startsWith(`${path}/`)))
      return;
    if (!this.#isInside(path)) return;
    if (entryAt(path)?.isFile()) this.#add(path, kind, rest);
    else if (entryAt(path)?.isDirectory() && !this.#definitionIn(path, kind, basename(path), rest))
      this.#kindFolder(path, kind, rest);
  }

  #kindFolder(folder: string, kind: Kind, rest: Partial<Candidate> = {}, prefix = "", depth = 0): void {
    if (depth > maxDepth) return;
    for (const { name, kind: type } of this.#list(folder)) {
      const path = join(folder, name);
      if (name.startsWith(".")) continue;
      if (definitionFile.test(name)) {
        if (type !== "folder") this.#add(path, kind, { ...rest, ...namedBy(name.replace(definitionFile, ""), prefix) });
      } else if (type === "folder" || (type === "link" && isFolder(path))) {
        if (this.#definitionIn(path, kind, name, { ...rest, ...namedBy(name, prefix) })) continue;
        this.#kindFolder(path, kind, rest, name.startsWith("@") ? `${name}/` : prefix, depth + 1);
      }
    }
  }

  /** The folder of one definition: `agent.md` before `agent.yaml`, or a skill. */
  #definitionIn(folder: string, kind: Kind, name: string, rest: Partial<Candidate>): boolean {
    const names = [`${kind}.md`, `${kind}.yaml`, `${kind}.yml`, "SKILL.md", "skill.md"];
    const found = names.filter((file) => entryAt(join(folder, file)) !== undefined);
    if (found.length === 0 || !this.#isInside(folder)) return false;
    const { mayBeOther: _, ...own } = rest;
    for (const file of found.slice(0, 2)) this.#add(join(folder, file), kind, { fallbackName: name, ...own });
    return true;
  }

  #add(path: string, kind: Kind, rest: Partial<Candidate>): void {
    const { candidates } = this.result;
    if (candidates.length >= maxEntries) this.result.truncated = true;
    else
      candidates.push({
        path,
        source: this.#root.source,
        kind,
        fallbackName: basename(path).replace(definitionFile, ""),
        ...rest,
      });
  }

  #list(folder: string): ReturnType<typeof listFolder>["entries"] {
    if (!isFolder(folder) || !this.#isInside(folder)) return [];
    this.result.folders.push(folder);
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

/** `reviewer@1.2.0` in a file's or folder's name. */
function namedBy(name: string, prefix: string): Pick<Candidate, "fallbackName" | "fallbackVersion"> {
  const at = name.indexOf("@", 1);
  if (at < 0) return { fallbackName: prefix + name };
  return { fallbackName: prefix + name.slice(0, at), fallbackVersion: name.slice(at + 1) };
}
