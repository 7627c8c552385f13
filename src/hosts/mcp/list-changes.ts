import type { Server } from "@modelcontextprotocol/server";
import type { McpLists } from "./lists.ts";

export type ChangedList = "tools" | "prompts" | "resources";

const parts: Record<ChangedList, (keyof McpLists)[]> = {
  tools: ["tools"],
  prompts: ["prompts"],
  resources: ["resources", "resourceTemplates"],
};

export function changedLists(before: McpLists, after: McpLists): ChangedList[] {
  const differs = (part: keyof McpLists) => JSON.stringify(before[part]) !== JSON.stringify(after[part]);
  return (["tools", "prompts", "resources"] as const).filter((list) => parts[list].some(differs));
}

/** Tells one client. One that has gone cannot be told, and need not be. */
export function announce(server: Server, lists: ChangedList[]): void {
  const send = {
    tools: () => server.sendToolListChanged(),
    prompts: () => server.sendPromptListChanged(),
    resources: () => server.sendResourceListChanged(),
  };
  for (const list of lists) void send[list]().catch(() => {});
}
