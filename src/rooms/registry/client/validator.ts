import { ForgeError } from "../../../kernel/errors.ts";
import type { DefinitionReader, OnRead } from "./definition-reader.ts";
import { describe } from "./definitions/definition.ts";
import { DefinitionFault, maxDefinitionBytes, parseDefinition } from "./definitions/parse-definition.ts";
import { reportFault, reportOf, validateDefinition } from "./definitions/validate-definition.ts";
import { pathOrName } from "./errors.ts";
import type { DefinitionStore } from "./places/definition-store.ts";
import type { AllowedRoots } from "./places/roots.ts";
import type { DefinitionResolver, Resolved } from "./resolver.ts";
import type { Finding, Kind, ValidationQuery, ValidationReport } from "./types.ts";

type Parts = {
  store: DefinitionStore;
  resolver: DefinitionResolver;
  reader: DefinitionReader;
  allowed: AllowedRoots;
  projectRoot: string;
};

/** Checks definitions: their own fields, what they extend, and where asked for whether their tools exist. */
export class Validator {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async validate(kind: Kind, query: ValidationQuery, signal: AbortSignal, onRead?: OnRead): Promise<ValidationReport> {
    const { path, name, strict = false, checkTools = false } = query;
    if ((path === undefined) === (name === undefined)) throw pathOrName(kind);
    const found = await this.#locate(kind, query, signal);
    await onRead?.(found);
    try {
      const definition = await found.load();
      const report = validateDefinition(definition, found.path, { strict, kind });
      const errors = await this.#baseErrors(found, definition, signal, onRead);
      const missing = checkTools ? await this.#missingTools(definition.fields, kind) : [];
      const all = [...report.errors, ...errors, ...(strict ? missing : [])];
      return reportOf(found.path, all, [...report.warnings, ...(strict ? [] : missing)]);
    } catch (error) {
      if (error instanceof DefinitionFault) return reportFault(error, found.path);
      throw error;
    }
  }

  /** Unlike elsewhere, a file that cannot be parsed is a report and not an error. */
  async #locate(kind: Kind, { path, name }: ValidationQuery, signal: AbortSignal): Promise<Resolved> {
    const { store, resolver, allowed, projectRoot } = this.#parts;
    const fromFile = (file: string): Resolved => ({
      kind,
      name: "",
      version: "",
      source: "local",
      path: file,
      load: () => store.parse(file, kind),
    });
    if (path !== undefined) {
      const file = allowed.resolve(path, projectRoot);
      return {
        ...fromFile(file),
        load: async () => parseDefinition(await allowed.read(file, maxDefinitionBytes), { path: file, kind }),
      };
    }
    const broken = (await store.all()).broken.find((file) => file.kind === kind && file.fallbackName === name);
    if (broken && (await resolver.onDisk(kind, name ?? "")).length === 0) return fromFile(broken.path);
    const found = await resolver.resolve(kind, { name: name ?? "" }, signal);
    return found.source === "stockyard"
      ? found
      : { ...fromFile(found.path), name: found.name, version: found.version, source: found.source };
  }

  async #baseErrors(
    found: Resolved,
    definition: Awaited<ReturnType<Resolved["load"]>>,
    signal: AbortSignal,
    onRead: OnRead | undefined,
  ): Promise<Finding[]> {
    if (describe(definition.fields, definition.kind).extends === undefined) return [];
    try {
      await this.#parts.reader.fieldsOf(
        { ...found, name: definition.name, version: definition.version },
        definition,
        signal,
        onRead,
      );
      return [];
    } catch (error) {
      if (!(error instanceof ForgeError)) throw error;
      const line = definition.lineOf(["extends"]);
      return [{ field: "extends", message: error.message, ...(line !== undefined && { line }) }];
    }
  }

  async #missingTools(fields: Record<string, unknown>, kind: Kind): Promise<Finding[]> {
    const { tools = [], dependsOn, customTools } = describe(fields, kind);
    const findings: Finding[] = [];
    for (const tool of new Set(kind === "agent" ? [...tools, ...dependsOn] : dependsOn)) {
      if (customTools.includes(tool) || clientTool.test(tool)) continue;
      const found = await this.#parts.resolver.onDisk("tool", tool).catch(() => []);
      if (found.length === 0)
        findings.push({ field: "tools", message: `the tool ${tool.slice(0, 100)} was not found` });
    }
    return findings;
  }
}

/** Tools that clients bring along begin with a capital letter or name a server. */
const clientTool = /^(?:[A-Z]|mcp__)/;
