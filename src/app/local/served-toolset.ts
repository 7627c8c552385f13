import type { ForgeRoom } from "../../commons/house.ts";
import type { ServedToolset } from "../../hosts/mcp/definition-registry.ts";
import { once } from "../../kernel/definitions/room.ts";
import type { Program } from "./program.ts";

/** A room as the MCP host serves it: opened when something of it is first called. */
export function servedToolset(room: ForgeRoom, program: Program, excluded: readonly string[] = []): ServedToolset {
  const tools = Object.entries(room.tools ?? {}).filter(([name]) => !excluded.includes(name));
  return {
    name: room.name,
    tools: Object.fromEntries(tools),
    prompts: room.prompts ?? {},
    resources: once(async () => (await room.resources?.()) ?? []),
    runtime: once(() => program.runtime(room)),
  };
}
