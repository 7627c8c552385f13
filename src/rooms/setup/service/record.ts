import { createHash } from "node:crypto";
import { dirname } from "node:path";
import * as z from "zod";
import { ForgeError } from "../../../kernel/errors.ts";
import { type ConfigPlace, deleteConfig, readConfig, writeConfig } from "../../../platform/state/config-file.ts";
import { type Splice, takeOut } from "../formats/splice.ts";

const madeSchema = z.object({
  /** Of the file right after; if it still matches, removing our text restores the file to the byte. */
  sha256: z.string(),
  splices: z.array(z.object({ at: z.number().int().min(0), text: z.string() })),
  /** The file, these folders, the place for servers: what was not there before. */
  createdFile: z.boolean(),
  createdFolders: z.array(z.string()),
  createdContainer: z.boolean(),
});

const recordFile = z.object({ version: z.literal(1), files: z.record(z.string(), madeSchema) });

/** What `forge init` did to one file. Only text of our own is kept: the file may contain secrets. */
export type Made = z.infer<typeof madeSchema>;

function sha256Of(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The text as it was before; undefined where something was changed since. */
export function undo(text: string, { sha256, splices }: Made): string | undefined {
  return sha256Of(text) === sha256 ? takeOut(text, splices) : undefined;
}

export function recordMade(text: string, splices: Splice[], created: Omit<Made, "sha256" | "splices">): Made {
  return { sha256: sha256Of(text), splices, ...created };
}

/**
 * What was done to the files of one scope, by their names. It only makes undoing exact: without it, or where it does not fit,
 * entries are taken out by their structure.
 */
export class SetupRecord {
  readonly #place: ConfigPlace;
  readonly #files: Readonly<Record<string, Made>>;
  readonly #news = new Map<string, Made | undefined>();

  constructor(place: ConfigPlace) {
    this.#place = place;
    this.#files = parse(readConfig(place).text);
  }

  get(name: string): Made | undefined {
    return Object.hasOwn(this.#files, name) ? this.#files[name] : undefined;
  }

  set(name: string, entry: Made | undefined): void {
    if (entry || this.get(name)) this.#news.set(name, entry);
  }

  /** On top of what other runs recorded meanwhile. */
  async save(attempts = 20): Promise<void> {
    if (this.#news.size === 0) return;
    const found = readConfig(this.#place);
    const files = { ...parse(found.text), ...Object.fromEntries(this.#news) };
    const kept = Object.entries(files).filter(([, entry]) => entry !== undefined);
    try {
      if (kept.length > 0) {
        const text = JSON.stringify({ version: 1, files: Object.fromEntries(kept) }, null, 2);
        await writeConfig(this.#place, found, `${text}\n`);
      } else if (found.text !== undefined) await deleteConfig(this.#place, found, [dirname(this.#place.path)]);
    } catch (error) {
      const isRace = error instanceof ForgeError && error.code === "CONFLICT_ERROR";
      if (!isRace || attempts === 0) throw error;
      await this.save(attempts - 1);
    }
  }
}

function parse(text: string | undefined): Record<string, Made> {
  try {
    return text === undefined ? {} : recordFile.parse(JSON.parse(text)).files;
  } catch {
    return {};
  }
}
