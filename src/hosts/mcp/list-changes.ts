import type { Server } from "@modelcontextprotocol/server";
import type { Surface } from "./surface.ts";

export type ChangedList = "tools" | "prompts" | "resources";

const parts: Record<ChangedList, (keyof Surface)[]> = {
  tools: ["tools"],
  prompts: ["prompts"],
  resources: ["resources", "resourceTemplates"],
};

export function changedLists(before: Surface, after: Surface): ChangedList[] {
  const differs = (part: keyof Surface) => JSON.stringify(before[part]) !== JSON.stringify(after[part]);
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
