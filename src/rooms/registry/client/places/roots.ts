import { isAbsolute, join, relative, sep } from "node:path";
import { ForgeError } from "../../../../kernel/errors.ts";
import { realPathOf } from "../../../../platform/files/real-place.ts";
import { SafeRoot } from "../../../../platform/files/root/safe-root.ts";
import { isFolder } from "../../../../platform/state/project.ts";
import { outsideRoots } from "../errors.ts";
import type { Source } from "../types.ts";

/**
 * `fractary`: agents, tools and plugins. `client`: agents and skills of Claude Code and others. `project`: a folder that may
 * be a plugin or a marketplace itself.
 */
type Layout = "fractary" | "client" | "project" | "agents" | "tools";

/** A folder that definitions are in. */
export type DefinitionRoot = { source: Source; folder: string; layout: Layout };

/** The folders that files may be read from at all: the project, the user's registry, and what configuration names. */
export class AllowedRoots {
  readonly folders: readonly string[];

  constructor(folders: readonly string[]) {
    const real = folders.flatMap((folder) => (isFolder(folder) ? [realPathOf(folder) ?? folder] : []));
    this.folders = [...new Set(real)];
  }

  /** The text of a file inside one of the folders, links included; throws for any other, without looking at it. */
  async read(path: string, maxBytes: number): Promise<string> {
    const { root, inner } = this.#locate(path);
    return (await SafeRoot.at(root, { notesInstalled: true }).readText(inner, { maxBytes })).text;
  }

  /** The absolute path of a file that may be read. */
  resolve(path: string, base: string): string {
    const full = isAbsolute(path) ? path : join(base, path);
    this.#locate(full);
    return full;
  }

  has(path: string): boolean {
    return this.folders.some((folder) => isBelow(path, folder)) || this.#realInside(path) !== undefined;
  }

  #locate(path: string): { root: string; inner: string } {
    const direct = this.folders.find((folder) => isBelow(path, folder));
    const inside = direct === undefined ? this.#realInside(path) : { root: direct, full: path };
    if (!inside) throw outsideRoots(path, this.folders);
    return { root: inside.root, inner: relative(inside.root, inside.full).split(sep).join("/") };
  }

  /** Of a path through links, such as a home folder that is one. */
  #realInside(path: string): { root: string; full: string } | undefined {
    const full = realPathOf(path);
    const root = full === undefined ? undefined : this.folders.find((folder) => isBelow(full, folder));
    return full === undefined || root === undefined ? undefined : { root, full };
  }
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The reason a file cannot be read, for a report; anything that is not about the file is thrown on. */
export function unreadableReason(error: unknown): string {
  if (error instanceof ForgeError && error.code !== "INTERNAL_ERROR") return error.message;
  throw error;
}
