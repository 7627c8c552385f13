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

/** Notifies one client. A client that is gone need not be told. */
export function announce(server: Server, lists: ChangedList[]): void {
  const send = {
    tools: () => server.sendToolListChanged(),
    prompts: () => server.sendPromptListChanged(),
    resources: () => server.sendResourceListChanged(),
  };
  for (const list of lists) void send[list]().catch(() => {});
}
