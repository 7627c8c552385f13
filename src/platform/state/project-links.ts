import { dirname } from "node:path";
import { isRecord } from "../../kernel/json.ts";
import { realPlace } from "../files/real-place.ts";
import { readSmallFile } from "../files/small-file.ts";
import { withFolderLock } from "../files/write/folder-lock.ts";
import { writePrivateFile } from "../files/write/private-file.ts";
import { ensurePrivateFolder } from "../files/write/private-folder.ts";
import { userPath } from "../host/user-folder.ts";
import { identifyFolder, isSameEntry } from "./entry-identity.ts";

/** Where a project's tickets are: on a team's server, or by the person's decision in the project itself. */
export type ProjectLink = { api: string; team: string; at: string } | { local: true; at: string };

const maxBytes = 4 * 1_048_576;

/**
 * Which projects belong to a team. Kept in the user's home by the project's path: a repository cannot decide for its reader
 * where their tickets go.
 */
export class ProjectLinks {
  readonly #path: string;

  constructor(path = userPath("links.json")) {
    this.#path = path;
  }

  find(stateDir: string): ProjectLink | undefined {
    const projects = this.#read();
    const key = keyOf(stateDir);
    const value = Object.hasOwn(projects, key) ? projects[key] : undefined;
    return isRecord(value) && isOfThisFolder(value, key) ? toLink(value) : undefined;
  }

  /** Other processes may link other projects at the same time. */
  async set(stateDir: string, link: ProjectLink): Promise<void> {
    const [folder, key] = [dirname(this.#path), keyOf(stateDir)];
    ensurePrivateFolder(folder);
    const write = async () => {
      const projects = { ...this.#read(), [key]: { ...link, folder: identifyFolder(key) } };
      await writePrivateFile(this.#path, `${JSON.stringify({ projects }, null, 2)}\n`);
    };
    await withFolderLock(folder, write, new AbortController().signal);
  }

  /** A file that cannot be read is as good as none: the person is asked again. */
  #read(): Record<string, unknown> {
    try {
      const value: unknown = JSON.parse(readSmallFile(this.#path, maxBytes) ?? "{}");
      return isRecord(value) && isRecord(value["projects"]) ? value["projects"] : {};
    } catch {
      return {};
    }
  }
}

/** All work trees of a repository share one state folder, and so one link. */
function keyOf(stateDir: string): string {
  return realPlace(dirname(stateDir));
}

/** A second clone at the same path is another project. Links of earlier versions do not say which folder they are of. */
function isOfThisFolder({ folder }: Record<string, unknown>, path: string): boolean {
  const now = identifyFolder(path);
  if (!isRecord(folder) || !now) return true;
  const { number, createdAt } = folder;
  return isSameEntry({ number: String(number), ...(typeof createdAt === "string" && { createdAt }) }, now);
}

function toLink(value: Record<string, unknown>): ProjectLink | undefined {
  const { api, team, local } = value;
  const at = typeof value["at"] === "string" ? value["at"] : "";
  if (local === true) return { local, at };
  return typeof api === "string" && typeof team === "string" ? { api, team, at } : undefined;
}
