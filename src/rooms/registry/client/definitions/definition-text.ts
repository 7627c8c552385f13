import { formatYaml, YamlEdit } from "../../../../commons/yaml/edit-yaml.ts";
import { joinFrontMatter, splitFrontMatter } from "../../../../commons/yaml/front-matter.ts";
import { YamlFault } from "../../../../commons/yaml/parse-yaml.ts";
import type { Fields, Kind } from "../types.ts";
import { bodyFields, type Definition } from "./definition.ts";

/** The text of a definition file, to be changed field by field; comments and order stay. */
export class DefinitionText {
  readonly #yaml: YamlEdit;
  readonly #bodyField: string;
  #body: string | undefined;

  private constructor(yaml: string, body: string | undefined, kind: Kind) {
    this.#yaml = new YamlEdit(yaml);
    this.#body = body;
    this.#bodyField = bodyFields[kind];
  }

  /** A file's own text; one that is only read line by line, or is JSON, is written again. */
  static of(text: string, definition: Definition): DefinitionText {
    const { form, kind, fields } = definition;
    if (form === "mcp-server") return new DefinitionText(formatYaml(fields), undefined, kind);
    if (form === "yaml") return new DefinitionText(text, undefined, kind);
    const parts = splitFrontMatter(text);
    try {
      if (parts) return new DefinitionText(parts.front, parts.body, kind);
    } catch (error) {
      if (!(error instanceof YamlFault)) throw error;
    }
    return DefinitionText.render(fields, kind, "markdown");
  }

  static render(fields: Fields, kind: Kind, form: "yaml" | "markdown"): DefinitionText {
    const name = bodyFields[kind];
    if (form === "yaml") return new DefinitionText(formatYaml(fields), undefined, kind);
    const { [name]: body, ...front } = fields;
    return new DefinitionText(formatYaml(front), typeof body === "string" ? `\n${body}` : "\n", kind);
  }

  get extension(): "md" | "yaml" {
    return this.#body === undefined ? "yaml" : "md";
  }

  set(path: readonly string[], value: unknown): void {
    if (this.#isBody(path) && typeof value === "string") this.#body = `\n${value.replace(/^\n/, "")}`;
    else this.#yaml.set(path, value);
  }

  delete(path: readonly string[]): void {
    if (this.#isBody(path)) this.#body = "\n";
    else this.#yaml.delete(path);
  }

  comment(path: readonly string[], text: string): void {
    this.#yaml.comment(path, text);
  }

  toString(): string {
    return this.#body === undefined ? this.#yaml.toString() : joinFrontMatter(this.#yaml.toString(), this.#body);
  }

  #isBody(path: readonly string[]): boolean {
    return this.#body !== undefined && path.length === 1 && path[0] === this.#bodyField;
  }
}
