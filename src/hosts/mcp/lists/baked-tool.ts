import type { ToolEntry } from "./lists.ts";

/** A tool's entry that the build has written as JSON. Listing it costs no parsing: most servers list tools and look into none. */
export class BakedTool implements ToolEntry {
  readonly name: string;
  readonly #text: string | (() => string);
  #parsed: ToolEntry | undefined;

  /** The text, or where to read it: what is not in the first list need not be loaded with it. */
  constructor(name: string, text: string | (() => string)) {
    this.name = name;
    this.#text = text;
  }

  get json(): string {
    return typeof this.#text === "string" ? this.#text : this.#text();
  }

  get title(): string {
    return this.toJSON().title;
  }

  get description(): string {
    return this.toJSON().description;
  }

  get inputSchema(): ToolEntry["inputSchema"] {
    return this.toJSON().inputSchema;
  }

  get outputSchema(): ToolEntry["outputSchema"] {
    return this.toJSON().outputSchema;
  }

  get annotations(): ToolEntry["annotations"] {
    return this.toJSON().annotations;
  }

  /** The entry itself, also for JSON.stringify. */
  toJSON(): ToolEntry {
    this.#parsed ??= JSON.parse(this.json) as ToolEntry;
    return this.#parsed;
  }
}
