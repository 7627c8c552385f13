import type { Runtime } from "../../kernel/calls/invoke.ts";
import type { Prompt } from "../../kernel/definitions/prompt.ts";
import { isTemplate, matchUri, type Resource } from "../../kernel/definitions/resource.ts";
import type { Lazy } from "../../kernel/definitions/room.ts";
import { isOn, type Tool } from "../../kernel/definitions/tool.ts";
import { effects } from "../../kernel/effect.ts";

/** A room's definitions and what their calls run on; each part loads when it is first needed. */
export type ServedToolset = {
  name: string;
  tools: Record<string, Lazy<Tool<unknown>>>;
  prompts: Record<string, Lazy<Prompt<unknown>>>;
  resources: Lazy<readonly Resource<unknown>[]>;
  runtime: Lazy<Runtime<unknown>>;
};

export type FoundDefinition<T> = { toolset: string; item: T; runtime: Runtime<unknown> };

/** The definitions that a server serves, by name. What read-only mode leaves out of the lists cannot be called either. */
export class DefinitionRegistry {
  readonly #toolsets: readonly ServedToolset[];
  readonly #readOnly: boolean;
  /** Loading a definition and its runtime again takes longer than a cheap tool runs. */
  readonly #tools = new Map<string, FoundDefinition<Tool<unknown>>>();

  constructor(toolsets: readonly ServedToolset[], readOnly: boolean) {
    this.#toolsets = toolsets;
    this.#readOnly = readOnly;
  }

  async tool(name: string): Promise<FoundDefinition<Tool<unknown>> | undefined> {
    const known = this.#tools.get(name);
    if (known) return known;
    const found = await this.#find(name, ({ tools }) => tools);
    if (!found || !isOn("mcp", found.item)) return undefined;
    if (this.#readOnly && effects[found.item.effect].access !== "read") return undefined;
    this.#tools.set(name, found);
    return found;
  }

  prompt(name: string): Promise<FoundDefinition<Prompt<unknown>> | undefined> {
    return this.#find(name, ({ prompts }) => prompts);
  }

  async resource(
    uri: string,
  ): Promise<(FoundDefinition<Resource<unknown>> & { variables: Record<string, string> }) | undefined> {
    for (const toolset of this.#toolsets) {
      for (const item of await toolset.resources()) {
        const variables = isTemplate(item) ? matchUri(item.uri, uri) : item.uri === uri ? {} : undefined;
        if (variables) return { toolset: toolset.name, item, runtime: await toolset.runtime(), variables };
      }
    }
    return undefined;
  }

  async template(uriTemplate: string): Promise<FoundDefinition<Resource<unknown>> | undefined> {
    for (const toolset of this.#toolsets) {
      const item = (await toolset.resources()).find(({ uri }) => uri === uriTemplate);
      if (item) return { toolset: toolset.name, item, runtime: await toolset.runtime() };
    }
    return undefined;
  }

  async #find<T>(name: string, kind: (toolset: ServedToolset) => Record<string, Lazy<T>>) {
    for (const toolset of this.#toolsets) {
      const all = kind(toolset);
      // The name comes from outside: what every object has by inheritance is not a definition.
      const load = Object.hasOwn(all, name) ? all[name] : undefined;
      if (!load) continue;
      const [item, runtime] = await Promise.all([load(), toolset.runtime()]);
      return { toolset: toolset.name, item, runtime };
    }
    return undefined;
  }
}
