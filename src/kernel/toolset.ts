import type { Prompt } from "./prompt.ts";
import type { Resource } from "./resource.ts";
import type { Tool } from "./tool.ts";

/** What one room offers to assistants. */
export type Toolset<Services> = {
  name: string;
  title: string;
  /** One or two sentences of the server's instructions: when an assistant should reach for these tools. */
  guidance: string;
  tools: Tool<Services>[];
  prompts: Prompt<Services>[];
  resources: Resource<Services>[];
};

export function defineToolset<Services>(toolset: Toolset<Services>): Toolset<Services> {
  return toolset;
}
