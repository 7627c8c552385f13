import { type Definition, describe } from "./definitions/definition.ts";
import { type Available, resolveDependencies } from "./definitions/dependencies.ts";
import { withoutUndefined } from "./definitions/field-values.ts";
import { type Base, resolveInheritance } from "./definitions/inheritance.ts";
import type { DefinitionResolver, Resolved } from "./resolver.ts";
import type { AgentInfo, DefinitionQuery, Fields, Kind, Reached, Source, ToolInfo } from "./types.ts";

/** Told of every definition before anything of it is given away: a definition can have the text of others, which it extends. */
export type OnRead = (found: Pick<Resolved, "source" | "path">) => Promise<void>;

const toldNobody: OnRead = async () => undefined;
/** Reads definitions with what they extend and depend on. */
export class DefinitionReader {
  readonly #resolver: DefinitionResolver;

  constructor(resolver: DefinitionResolver) {
    this.#resolver = resolver;
  }

  /** All fields, with those of what it extends. */
  async fieldsOf(
    resolved: Resolved,
    definition: Definition,
    signal: AbortSignal,
    onRead = toldNobody,
  ): Promise<Fields> {
    const find = async (kind: Kind, reference: string): Promise<Base> => {
      const base = await this.#resolver.resolve(kind, { name: reference }, signal);
      await onRead(base);
      return baseOf(base, await base.load());
    };
    return resolveInheritance(baseOf(resolved, definition), resolved.kind, find);
  }

  async agentInfo(query: DefinitionQuery, signal: AbortSignal, onRead = toldNobody): Promise<AgentInfo & Reached> {
    const { resolved, fields } = await this.#read("agent", query, signal, onRead);
    const { author, license, tools, extends: base, prompt } = describe(fields, "agent");
    const dependencies = await resolveDependencies({ kind: "agent", name: resolved.name, fields }, (kind, name) =>
      this.#supply(kind, name, resolved.source, signal, onRead),
    );
    return withoutUndefined({
      ...this.#summary(resolved, fields),
      author,
      license,
      tools,
      extends: base,
      prompt,
      dependencies,
    });
  }

  async toolInfo(query: DefinitionQuery, signal: AbortSignal, onRead = toldNobody): Promise<ToolInfo & Reached> {
    const { resolved, fields } = await this.#read("tool", query, signal, onRead);
    const { author, license, extends: base, inputSchema, outputSchema } = describe(fields, "tool");
    return withoutUndefined({
      ...this.#summary(resolved, fields),
      author,
      license,
      extends: base,
      inputSchema,
      outputSchema,
    });
  }

  async #read(kind: Kind, query: DefinitionQuery, signal: AbortSignal, onRead: OnRead) {
    const resolved = await this.#resolver.resolve(kind, query, signal);
    await onRead(resolved);
    return { resolved, fields: await this.fieldsOf(resolved, await resolved.load(), signal, onRead) };
  }

  #summary({ name, version, source, path, stale, kind }: Resolved, fields: Fields) {
    const { description, tags } = describe(fields, kind);
    return { name, version, description, tags, source, path, stale };
  }

  async #supply(kind: Kind, name: string, from: Source, signal: AbortSignal, onRead: OnRead): Promise<Available[]> {
    const own = await this.#resolver.onDisk(kind, name);
    const available = (item: Resolved) => ({
      name: item.name,
      version: item.version,
      load: async () => {
        await onRead(item);
        return this.fieldsOf(item, await item.load(), signal, onRead);
      },
    });
    if (own.length > 0 || from !== "stockyard") return own.map((entry) => available(this.#resolver.fromEntry(entry)));
    return (await this.#resolver.inRegistry(kind, name, signal)).map(available);
  }
}

function baseOf({ name, version, path }: Resolved, { fields }: Definition): Base {
  return { id: `${path}@${version}`, name, version, fields };
}
