import { effects } from "../../kernel/effect.ts";
import type { Prompt } from "../../kernel/prompt.ts";
import { isTemplate, matchUri, type Resource } from "../../kernel/resource.ts";
import type { Tool } from "../../kernel/tool.ts";
import type { Toolset } from "../../kernel/toolset.ts";

type Found<T> = { toolset: string; item: T };

/** The definitions behind a surface, by name. What read-only mode leaves out of the lists cannot be called either. */
export class Offer<Services> {
  readonly #tools = new Map<string, Found<Tool<Services>>>();
  readonly #prompts = new Map<string, Found<Prompt<Services>>>();
  readonly #resources: Found<Resource<Services>>[] = [];

  constructor(toolsets: Toolset<Services>[], readOnly: boolean) {
    for (const { name: toolset, tools, prompts, resources } of toolsets) {
      for (const item of tools) {
        if (!readOnly || effects[item.effect].access === "read") this.#tools.set(item.name, { toolset, item });
      }
      for (const item of prompts) this.#prompts.set(item.name, { toolset, item });
      for (const item of resources) this.#resources.push({ toolset, item });
    }
  }

  tool(name: string): Found<Tool<Services>> | undefined {
    return this.#tools.get(name);
  }

  prompt(name: string): Found<Prompt<Services>> | undefined {
    return this.#prompts.get(name);
  }

  resource(uri: string): (Found<Resource<Services>> & { variables: Record<string, string> }) | undefined {
    for (const found of this.#resources) {
      if (found.item.uri === uri) return { ...found, variables: {} };
      const variables = isTemplate(found.item) ? matchUri(found.item.uri, uri) : undefined;
      if (variables) return { ...found, variables };
    }
    return undefined;
  }

  template(uriTemplate: string): Found<Resource<Services>> | undefined {
    return this.#resources.find(({ item }) => item.uri === uriTemplate);
  }
}
