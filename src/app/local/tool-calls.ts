import type { CallOptions, ToolCalls } from "../../commons/cli/app.ts";
import type { ForgeRoom } from "../../commons/house.ts";
import type { Catalog } from "../../hosts/mcp/lists/lists.ts";
import type { Call } from "../../kernel/calls/call.ts";
import { getPrompt, invoke, type Outcome, perform, readResource } from "../../kernel/calls/invoke.ts";
import type { Lazy } from "../../kernel/definitions/room.ts";
import { isAskedFirst, isOn, type Surface, type Tool } from "../../kernel/definitions/tool.ts";
import { effects } from "../../kernel/effect.ts";
import { type ErrorBody, ForgeError } from "../../kernel/errors.ts";
import { didYouMean } from "../../kernel/text/closest.ts";
import { builtRooms, type RoomSet } from "../room-set.ts";
import type { Program } from "./program.ts";
import { servedToolset } from "./served-toolset.ts";

/** Everything that assistants get and what only people may call, called by the person at the keyboard. */
export function makeToolCalls(
  loadProgram: Lazy<Program>,
  failOnSignals: () => void,
  roomSet: RoomSet = builtRooms,
): ToolCalls {
  const registryOf = async (program: Program) => {
    const { DefinitionRegistry } = await import("../../hosts/mcp/definition-registry.ts");
    const toolsets = roomSet.rooms.map((room) => servedToolset(room, program));
    return new DefinitionRegistry(toolsets, false);
  };

  return {
    get catalog() {
      return roomSet.catalog;
    },
    async describe(name) {
      const listed = roomSet.catalog.flatMap(({ tools }) => tools).find((tool) => tool.name === name);
      if (listed) return listed;
      const { describeTool } = await import("../../hosts/mcp/lists/catalog.ts");
      return describeTool((await findTool(roomSet, name, "mcp")).tool);
    },
    async call(name, input, options) {
      // A command says itself whether Ctrl+C cuts it off: some go on until the user ends them.
      if (options.command === undefined) failOnSignals();
      // Before the tool is loaded: a schema keeps how it was set when it was made.
      (await import("../../kernel/calls/interpreted-schemas.ts")).interpretSchemas();
      // `forge call` calls what an assistant can; a command also what only people may.
      const { room, tool } = await findTool(roomSet, name, options.command === undefined ? "mcp" : "cli");
      const program = await loadProgram();
      // First: the user's name may be one that a team's server gives.
      const isUnrecorded = options.unrecorded && effects[tool.effect].access === "read";
      const runtime = isUnrecorded
        ? // What a command prints does not count as read.
          { ...(await program.runtime(room, false)), noteUntrusted: async () => undefined }
        : await program.runtime(room);
      // A name that a team's server gives is the one that reading was noted under.
      if (room.inLedger === false && isAskedFirst(tool) && (await program.mayFollowOthers({ ofUser: true })))
        await program.openShared();
      return valueIn(await invoke(runtime, room.name, tool, input, callerFor(program, options))).structured;
    },
    async approve(command, asked, signal) {
      const program = await loadProgram();
      if (!(await program.mayFollowOthers(asked))) return;
      const { runtime, step } = await program.approval(asked);
      const caller = program.caller(signal, { command });
      if (!(await (await program.store()).guard.mayFollowOthers(caller.principal, step))) return;
      const plan = { kind: "command", name: command, effect: "act" } as const;
      const open = { scope: undefined, deadlineMs: undefined, untrusted: undefined };
      const ask = async (call: Call) => async () => runtime.approve?.(call, step);
      valueIn(await perform({ ...runtime, services: undefined }, { ...plan, ...open }, caller, ask));
    },
    async prompt(name, args, signal) {
      const program = await loadProgram();
      const found = await (await registryOf(program)).prompt(name);
      if (!found) throw new ForgeError("NOT_FOUND", `There is no prompt named "${name.slice(0, 64)}".`);
      const caller = program.caller(signal);
      const { guard } = await program.store();
      // A prompt can begin work, for the user who chose it: not for an assistant that gives the command after reading text by others.
      const isHeld = await guard.hasReadUntrusted(caller.principal);
      const principal = { ...caller.principal, ...(isHeld && { readOnly: true as const }) };
      return valueIn(await getPrompt(found.runtime, found.toolset, found.item, args, { ...caller, principal }));
    },
    async resource(uri, signal) {
      const program = await loadProgram();
      const found = await (await registryOf(program)).resource(uri);
      if (!found) throw noSuchResource(uri, roomSet.catalog);
      const { runtime, toolset, item, variables } = found;
      const content = valueIn(await readResource(runtime, toolset, item, variables, program.caller(signal)));
      return { ...content, mimeType: item.mimeType };
    },
  };
}

function callerFor(program: Program, { signal, report, command, quiet }: CallOptions) {
  const more = { ...(command !== undefined && { command }), ...(report && { report }), ...(quiet && { quiet }) };
  return program.caller(signal, more);
}

export async function findTool(
  roomSet: RoomSet,
  name: string,
  surface: Surface,
): Promise<{ room: ForgeRoom; tool: Tool<unknown> }> {
  for (const room of roomSet.rooms) {
    const load = room.tools && Object.hasOwn(room.tools, name) ? room.tools[name] : undefined;
    const tool = await load?.();
    if (tool && isOn(surface, tool)) return { room, tool };
  }
  const known = roomSet.catalog.flatMap(({ tools }) => tools.map((tool) => tool.name));
  throw new ForgeError("TOOL_NOT_FOUND", `There is no tool named "${name.slice(0, 64)}".`, {
    next: [...didYouMean(name, known), { command: "call", why: "to see all tools" }],
  });
}

/** The value of a call that was made for a command; throws what it failed with. */
function valueIn<T>(outcome: Outcome<T>): T {
  if (outcome.kind === "value") return outcome.value;
  if (outcome.kind === "error") throw fromBody(outcome.body);
  throw new Error("a question reached a caller that cannot be asked");
}

function fromBody({ error, code, message, details, next }: ErrorBody): ForgeError {
  return new ForgeError(code, message, {
    ...(details && { details }),
    ...(next && { next }),
    ...(typeof error === "string" && { label: error }),
  });
}

function noSuchResource(uri: string, catalog: Catalog): ForgeError {
  const known = catalog.flatMap(({ resources }) => resources.map((resource) => resource.uri));
  return new ForgeError("NOT_FOUND", `There is no resource at "${uri.slice(0, 64)}".`, {
    next: [...didYouMean(uri, known), { command: "resource", why: "to see all resources" }],
  });
}
