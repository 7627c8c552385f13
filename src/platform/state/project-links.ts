import { dirname } from "node:path";
import { isRecord } from "../../kernel/json.ts";
import { realPlace } from "../files/real-place.ts";
import { readSmallFile } from "../files/small-file.ts";
import { writePrivateFile } from "../files/write/private-file.ts";
import { userPath } from "../host/user-folder.ts";

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
    return Object.hasOwn(projects, key) ? toLink(projects[key]) : undefined;
  }

  async set(stateDir: string, link: ProjectLink): Promise<void> {
    const projects = { ...this.#read(), [keyOf(stateDir)]: link };
    await writePrivateFile(this.#path, `${JSON.stringify({ projects }, null, 2)}\n`);
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

function toLink(value: unknown): ProjectLink | undefined {
  if (!isRecord(value)) return undefined;
  const { api, team, local } = value;
  const at = typeof value["at"] === "string" ? value["at"] : "";
  if (local === true) return { local, at };
  return typeof api === "string" && typeof team === "string" ? { api, team, at } : undefined;
}
