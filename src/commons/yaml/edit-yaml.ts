import { Document, isCollection, isScalar } from "yaml";
import { parseYamlDocument } from "./parse-yaml.ts";

/** A YAML text that is changed field by field; comments, order and what is not touched stay. */
export class YamlEdit {
  readonly #document: Document;

  constructor(text: string) {
    this.#document = parseYamlDocument(text).document;
  }

  set(path: readonly string[], value: unknown): void {
    this.#document.setIn([...path], this.#document.createNode(value));
  }

  delete(path: readonly string[]): void {
    if (this.#document.hasIn(path)) this.#document.deleteIn(path);
  }

  /** Puts a comment at a field's value. */
  comment(path: readonly string[], text: string): void {
    const node = this.#document.getIn(path, true);
    if (isScalar(node)) node.comment = ` ${text}`;
    else if (isCollection(node)) node.commentBefore = ` ${text}`;
    else this.#document.comment = `${this.#document.comment ?? ""}\n ${text}`;
  }

  toString(): string {
    return this.#document.toString(style);
  }
}

const style = { lineWidth: 0, flowCollectionPadding: false } as const;

export function formatYaml(value: unknown): string {
  return new Document(value, { aliasDuplicateObjects: false }).toString(style);
}
