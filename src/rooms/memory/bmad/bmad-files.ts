import { parse as parseToml } from "smol-toml";
import { countYamlValues, type ParsedYaml, parseYaml, YamlFault } from "../../../commons/yaml/parse-yaml.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { isRecord } from "../../../kernel/json.ts";
import type { Redactor } from "../../../kernel/text/redactor.ts";
import { SafeRoot } from "../../../platform/files/root/safe-root.ts";

/** A file that is there and cannot be used, and why. */
export type FileProblem = { file: string; why: string };

export type ReadText = { path: string; text: string };

export type YamlLines = Pick<ParsedYaml, "lineOf"> & { value: Record<string, unknown> };

const maxFileBytes = 2 * 1_048_576;
/** Parsing takes far longer than reading. */
const maxYamlBytes = 524_288;
/** Of all the files that one answer is made of: a project can have thousands that are as large as one may be. */
const maxAll = { bytes: 32 * 1_048_576, yamlValues: 60_000 };
const maxEntries = 2_000;
const maxProblems = 100;

/** Of one text that is handed on, and of one list. */
export const maxText = 8_000;
export const maxItems = 1_000;

/** A project's files, as others wrote them: whatever cannot be read is a problem to report, never an error. */
export class BmadFiles {
  readonly #root: SafeRoot;
  readonly #redactor: Pick<Redactor, "lines">;
  readonly problems: FileProblem[] = [];
  readonly #left = { ...maxAll };

  constructor(root: string, redactor: Pick<Redactor, "lines">) {
    this.#root = SafeRoot.at(root);
    this.#redactor = redactor;
  }

  /** Undefined where there is none, or where it cannot be used. Without secrets: of a part, such as a line, they are not recognized. */
  async read(path: string): Promise<ReadText | undefined> {
    const file = await this.#readWhole(path);
    return file && { path, text: this.#redactor.lines(file.text) };
  }

  async #readWhole(path: string): Promise<ReadText | undefined> {
    try {
      const info = await this.#root.stat(path);
      if (info?.kind !== "file") return undefined;
      if (info.bytes > maxFileBytes) {
        this.report(path, `is larger than ${maxFileBytes / 1_048_576} MB`);
        return undefined;
      }
      if (info.bytes > this.#left.bytes) {
        this.report(path, `was not read: with it, these files are larger than ${maxAll.bytes / 1_048_576} MB together`);
        return undefined;
      }
      this.#left.bytes -= info.bytes;
      const { text } = await this.#root.readText(path, { maxBytes: maxFileBytes });
      return { path, text };
    } catch (error) {
      if (!(error instanceof ForgeError)) throw error;
      if (error.code !== "NOT_FOUND") this.report(path, error.message);
      return undefined;
    }
  }

  async readFirst(paths: readonly string[]): Promise<ReadText | undefined> {
    for (const path of paths) {
      const found = await this.read(path);
      if (found) return found;
    }
    return undefined;
  }

  /** Those of these files that are there. */
  async readAll(paths: readonly string[]): Promise<ReadText[]> {
    const read: ReadText[] = [];
    for (const path of paths) {
      const found = await this.read(path);
      if (found) read.push(found);
    }
    return read;
  }

  async readYaml(path: string): Promise<Record<string, unknown> | undefined> {
    return (await this.readYamlLines(path))?.value;
  }

  /** The same, with where each field is. */
  async readYamlLines(path: string): Promise<YamlLines | undefined> {
    const file = await this.#readWhole(path);
    if (!file) return undefined;
    const values = countYamlValues(file.text);
    if (values > this.#left.yamlValues) {
      this.report(path, `was not read: with it, these files have more than ${maxAll.yamlValues} values together`);
      return undefined;
    }
    this.#left.yamlValues -= values;
    try {
      const { value, lineOf } = parseYaml(file.text, { maxBytes: maxYamlBytes });
      return isRecord(value) ? { value, lineOf } : undefined;
    } catch (error) {
      if (!(error instanceof YamlFault)) throw error;
      this.report(path, error.line === undefined ? error.message : `line ${error.line}: ${error.message}`);
      return undefined;
    }
  }

  async readToml(path: string): Promise<Record<string, unknown> | undefined> {
    const file = await this.#readWhole(path);
    if (!file) return undefined;
    try {
      return parseToml(file.text);
    } catch {
      this.report(path, "is not valid TOML");
      return undefined;
    }
  }

  async readJson(path: string): Promise<Record<string, unknown> | undefined> {
    const file = await this.#readWhole(path);
    if (!file) return undefined;
    try {
      const value: unknown = JSON.parse(file.text);
      if (isRecord(value)) return value;
    } catch {}
    this.report(path, "is not valid JSON; it may be half-written");
    return undefined;
  }

  async has(path: string): Promise<boolean> {
    return (await this.#stat(path)) !== undefined;
  }

  async readModifiedAt(path: string): Promise<number> {
    return (await this.#stat(path))?.modifiedAt ?? 0;
  }

  /** Names in a folder, sorted; none where there is no such folder. */
  async list(folder: string, kind: "file" | "folder"): Promise<string[]> {
    try {
      const { entries } = await this.#root.list(folder, { maxEntries });
      return entries.filter((entry) => entry.kind === kind).map(({ name }) => name);
    } catch (error) {
      if (error instanceof ForgeError) return [];
      throw error;
    }
  }

  report(file: string, why: string): void {
    if (this.problems.length < maxProblems)
      this.problems.push({ file: file.slice(0, maxText), why: why.slice(0, maxText) });
  }

  async #stat(path: string) {
    try {
      return await this.#root.stat(path);
    } catch (error) {
      if (error instanceof ForgeError) return undefined;
      throw error;
    }
  }
}

/** A text field of parsed data; undefined where it is something else, empty, or a template's placeholder. */
export function textIn(record: Record<string, unknown> | undefined, ...path: string[]): string | undefined {
  let value: unknown = record;
  for (const name of path) value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  if (typeof value !== "string" || value.trim() === "" || isPlaceholder(value)) return undefined;
  return value.trim().slice(0, maxText);
}

export function recordIn(record: Record<string, unknown> | undefined, name: string): Record<string, unknown> {
  const value = record && Object.hasOwn(record, name) ? record[name] : undefined;
  return isRecord(value) ? value : {};
}

export function textsIn(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  const texts = value.filter((item): item is string => typeof item === "string" && !isPlaceholder(item));
  return texts.slice(0, maxItems).map((text) => text.slice(0, maxText));
}

/** What a template leaves for a person to fill in. */
export function isPlaceholder(text: string): boolean {
  return (
    /\{\{[^}]*\}\}|^\s*\[(?:à compléter|to fill|todo)[^\]]*\]\s*$/i.test(text) ||
    // As the kit leaves it: `**Stack** : À compléter`.
    /^\s*(?:\*\*[^*]{1,60}\*\*\s*:\s*)?à compléter\b/i.test(text)
  );
}
