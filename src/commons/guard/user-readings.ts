import { dirname } from "node:path";
import type { TextOrigin } from "../../kernel/calls/call.ts";
import { ForgeError } from "../../kernel/errors.ts";
import { isRecord } from "../../kernel/json.ts";
import { explainErrors } from "../../platform/files/file-error.ts";
import { realPlace } from "../../platform/files/real-place.ts";
import { readSmallFile } from "../../platform/files/small-file.ts";
import { withFolderLock } from "../../platform/files/write/folder-lock.ts";
import { writePrivateFile } from "../../platform/files/write/private-file.ts";
import { ensurePrivateFolder } from "../../platform/files/write/private-folder.ts";
import { isInside } from "../../platform/git/run/locate-repository.ts";
import { userHome, userPath } from "../../platform/host/user-folder.ts";
import { readingCountsMs } from "./readers.ts";

/** When text by others was last read, and when that of a repository which was not trusted then, by project. */
type Readings = { others: number; repositories: Record<string, number> };

type UserReadingsOptions = {
  /** The project that readings are noted for. */
  project: string;
  isTrusted: (project: string) => Promise<boolean>;
  path?: string;
  now?: () => number;
};

const maxBytes = 1_048_576;

/**
 * That an assistant of this user has read text by others, in whatever project. It is kept in the user's home: the user's own
 * configuration can be changed from any folder.
 */
export class UserReadings {
  readonly #project: string;
  readonly #isTrusted: (project: string) => Promise<boolean>;
  readonly #path: string;
  readonly #now: () => number;

  constructor({ project, isTrusted, path = userPath("readings.json"), now = Date.now }: UserReadingsOptions) {
    this.#project = project;
    this.#isTrusted = isTrusted;
    this.#path = path;
    this.#now = now;
  }

  /** Whether it was written down: if not, it has to be at the next reading. */
  async note(from: TextOrigin): Promise<boolean> {
    try {
      const folder = dirname(this.#path);
      await explainErrors(folder, async () => ensurePrivateFolder(folder));
      // Two projects may note something at once.
      await withFolderLock(folder, () => this.#add(from), new AbortController().signal);
      return true;
    } catch (error) {
      // A home that cannot be written to keeps no configuration that could be changed.
      if (!(error instanceof ForgeError)) throw error;
      return false;
    }
  }

  async #add(from: TextOrigin): Promise<void> {
    const now = this.#now();
    const { others, repositories } = this.#read() ?? { others: now, repositories: {} };
    const recent = Object.entries(repositories).filter(([, at]) => this.#counts(at));
    const noted: Readings =
      from === "others"
        ? { others: now, repositories: Object.fromEntries(recent) }
        : { others, repositories: { ...Object.fromEntries(recent), [this.#project]: now } };
    await writePrivateFile(this.#path, `${JSON.stringify(noted)}\n`);
  }

  /** Whether they count for a change: one of the user's own configuration, which in the home is what the project's files are. */
  async countFor({ ofUser }: { ofUser?: boolean | undefined }): Promise<boolean> {
    return (ofUser === true || this.#isHome()) && (await this.hasAny());
  }

  async hasAny(): Promise<boolean> {
    const readings = this.#read();
    if (!readings || this.#counts(readings.others)) return true;
    for (const [project, at] of Object.entries(readings.repositories)) {
      if (this.#counts(at) && !(await this.#isTrusted(project))) return true;
    }
    return false;
  }

  /** The project's folder is the home, or around it. */
  #isHome(): boolean {
    const [home, root] = [realPlace(userHome()), realPlace(this.#project)];
    return home === root || isInside(home, root);
  }

  /** As in {@link Readers}, a time in the future counts. */
  #counts(at: number): boolean {
    return at > this.#now() - readingCountsMs;
  }

  /** Undefined if the file says nothing that can be relied on. */
  #read(): Readings | undefined {
    try {
      const text = readSmallFile(this.#path, maxBytes);
      if (text === undefined) return { others: 0, repositories: {} };
      const value: unknown = JSON.parse(text);
      if (!isRecord(value) || typeof value["others"] !== "number" || !isRecord(value["repositories"])) return undefined;
      const times = Object.entries(value["repositories"]).map(([project, at]) => [project, Number(at)] as const);
      return { others: value["others"], repositories: Object.fromEntries(times) };
    } catch {
      return undefined;
    }
  }
}
