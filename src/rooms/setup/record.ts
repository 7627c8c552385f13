import { createHash } from "node:crypto";
import { dirname } from "node:path";
import * as z from "zod";
import { type ConfigPlace, deleteConfig, readConfig, writeConfig } from "../../platform/config-file.ts";
import { type Splice, takeOut } from "./splice.ts";

const made = z.object({
  /** Of the whole file right after; where it still fits, taking our text out gives the bytes of before. */
  sha256: z.string(),
  splices: z.array(z.object({ at: z.number().int().min(0), text: z.string() })),
  /** The file, these folders, the place for servers: what was not there before. */
  createdFile: z.boolean(),
  createdFolders: z.array(z.string()),
  createdContainer: z.boolean(),
});

const recordFile = z.object({ version: z.literal(1), files: z.record(z.string(), made) });

/** What `forge init` did to one file. Only text of our own is kept: the file may hold somebody's secrets. */
export type Made = z.infer<typeof made>;

export function sha256Of(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The text as it was before; undefined where something was changed since. */
export function undone(text: string, { sha256, splices }: Made): string | undefined {
  return sha256Of(text) === sha256 ? takeOut(text, splices) : undefined;
}

export function madeOf(text: string, splices: Splice[], created: Omit<Made, "sha256" | "splices">): Made {
  return { sha256: sha256Of(text), splices, ...created };
}

/**
 * What was done to the files of one scope, by their names. It only makes undoing exact: without it, or where it does not fit,
 * entries are taken out by their structure.
 */
export class SetupRecord {
  readonly #place: ConfigPlace;
  readonly #files: Map<string, Made>;
  #changed = false;

  private constructor(place: ConfigPlace, files: Map<string, Made>) {
    this.#place = place;
    this.#files = files;
  }

  static open(place: ConfigPlace): SetupRecord {
    const { text } = readConfig(place);
    return new SetupRecord(place, new Map(text === undefined ? [] : Object.entries(parse(text))));
  }

  get(name: string): Made | undefined {
    return this.#files.get(name);
  }

  set(name: string, entry: Made | undefined): void {
    if (entry) this.#files.set(name, entry);
    else if (!this.#files.delete(name)) return;
    this.#changed = true;
  }

  async save(): Promise<void> {
    if (!this.#changed) return;
    const found = readConfig(this.#place);
    const text = `${JSON.stringify({ version: 1, files: Object.fromEntries(this.#files) }, null, 2)}\n`;
    if (this.#files.size > 0) await writeConfig(this.#place, found, text);
    else if (found.text !== undefined) await deleteConfig(this.#place, found, [dirname(this.#place.path)]);
  }
}

function parse(text: string): Record<string, Made> {
  try {
    return recordFile.parse(JSON.parse(text)).files;
  } catch {
    return {};
  }
}
