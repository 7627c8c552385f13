import type { Prompt } from "./prompt.ts";
import type { Resource } from "./resource.ts";
import type { Room, RoomWorld } from "./room.ts";
import type { Tool } from "./tool.ts";

/** What one room offers to assistants, loaded. */
export type Toolset<Services> = {
  name: string;
  title: string;
  guidance: string;
  tools: Tool<Services>[];
  prompts: Prompt<Services>[];
  resources: readonly Resource<Services>[];
};

type ToolsetPart = "name" | "title" | "guidance" | "tools" | "prompts" | "resources";

export async function loadToolset<World extends RoomWorld, Services>(
  room: Pick<Room<World, Services>, ToolsetPart>,
): Promise<Toolset<Services>> {
  const [tools, prompts, resources] = await Promise.all([
    Promise.all(Object.values(room.tools ?? {}).map((load) => load())),
    Promise.all(Object.values(room.prompts ?? {}).map((load) => load())),
    room.resources?.() ?? [],
  ]);
  return { name: room.name, title: room.title, guidance: room.guidance ?? "", tools, prompts, resources };
}
