import { dirname, join } from "node:path";
import { isRecord } from "../../../../kernel/json.ts";
import { explainErrors } from "../../../../platform/files/file-error.ts";
import { withFolderLock } from "../../../../platform/files/write/folder-lock.ts";
import { readPrivateFile, writePrivateFile } from "../../../../platform/files/write/private-file.ts";
import { ensurePrivateFolder } from "../../../../platform/files/write/private-folder.ts";
import { brokenConfig } from "../errors.ts";
import type { Fields } from "../types.ts";

const maxBytes = 32 * 1_048_576;

/** A JSON file in `~/.fractary/auth`, which only the user can read. Processes change it one after another. */
export class AuthFile {
  readonly path: string;

  constructor(home: string, name: string) {
    this.path = join(home, ".fractary", "auth", name);
  }

  /** Throws where the file is not what was written: what it kept must not be forgotten silently. */
  async read(): Promise<Fields> {
    const bytes = await readPrivateFile(this.path, maxBytes);
    if (!bytes) return {};
    try {
      const value: unknown = JSON.parse(bytes.toString("utf8"));
      if (isRecord(value)) return value;
    } catch {
      // Said below.
    }
    throw brokenConfig(this.path, "it is not a JSON object");
  }

  async change(change: (fields: Fields) => Fields): Promise<void> {
    const folder = dirname(this.path);
    await explainErrors(folder, async () => {
      for (const made of [dirname(folder), folder]) ensurePrivateFolder(made);
    });
    const write = async () =>
      writePrivateFile(this.path, `${JSON.stringify(change(await this.read()), undefined, 2)}\n`);
    await withFolderLock(folder, write, new AbortController().signal);
  }
}
