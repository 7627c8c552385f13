import type { ForkMark } from "../definitions/definition.ts";
import type { Kind, Source } from "../types.ts";
import { type IndexedFile, type IndexLines, parseLine } from "./index-lines.ts";

/** A definition, as lists show it. */
export type Entry = {
  readonly kind: Kind;
  readonly name: string;
  readonly version: string;
  readonly description?: string | undefined;
  readonly tags?: string[] | undefined;
  readonly source: Source;
  readonly path: string;
  readonly plugin?: string | undefined;
  readonly fork?: ForkMark | undefined;
};

type Facts = Pick<Entry, "description" | "tags" | "path" | "fork"> & { stamp: string };
type IndexedDefinition = Extract<IndexedFile, { name: string }>;

/** A definition on disk. What lists are sorted by is at hand, the rest is read from its line when it is first asked for. */
export class StoredEntry implements Entry {
  readonly kind: Kind;
  readonly name: string;
  readonly version: string;
  readonly source: Source;
  readonly plugin: string | undefined;
  #lines: IndexLines | undefined;
  #start = 0;
  #facts: Facts | undefined;

  constructor({ kind, name, version }: IndexedDefinition, { source, plugin }: { source: Source; plugin?: string }) {
    this.kind = kind;
    this.name = name;
    this.version = version;
    this.source = source;
    this.plugin = plugin;
  }

  /** Says where its line is. */
  place(lines: IndexLines, start: number): void {
    this.#lines = lines;
    this.#start = start;
  }

  get path(): string {
    return this.#read().path;
  }

  get description(): string | undefined {
    return this.#read().description;
  }

  get tags(): string[] | undefined {
    return this.#read().tags;
  }

  get fork(): ForkMark | undefined {
    return this.#read().fork;
  }

  /** Of the file when it was read; empty where it is not a regular one. */
  get stamp(): string {
    return this.#read().stamp;
  }

  #read(): Facts {
    if (this.#facts) return this.#facts;
    const { path, stamp, file } = parseLine(this.#lines?.textAt(this.#start) ?? "");
    const { description, tags, fork } = file as IndexedDefinition;
    this.#facts = { path, stamp, description, tags, fork };
    return this.#facts;
  }
}
