import { expect, onTestFinished, test } from "vitest";
import { openBoard } from "../../../src/app/local/board.ts";
import { roomNamed } from "../../../src/app/local/program.ts";
import { makeToolCalls } from "../../../src/app/local/tool-calls.ts";
import { builtRooms } from "../../../src/app/room-set.ts";
import { createApp } from "../../../src/hosts/http/app.ts";
import { isOn } from "../../../src/kernel/definitions/tool.ts";
import { loadToolset } from "../../../src/kernel/definitions/toolset.ts";
import { effects } from "../../../src/kernel/effect.ts";
import { activityRoute } from "../../../src/rooms/activity/http/routes.ts";
import { ticketRoutes } from "../../../src/rooms/tickets/http/routes.ts";
import { rooms } from "../../../src/rooms.ts";
import { inputsOf } from "./inputs.ts";
import { type PlantedProject, plantedWords, plantProject } from "./planted.ts";

const secret = "a".repeat(43);
const files = { script: "", style: "", worker: "", files: [] };
const { signal } = new AbortController();

/** A request that an assistant can send with its token. */
type Reading = { method: string; path: string; body?: unknown };

/** Tools that only people's commands call, and the board. */
async function listToolReadings(project: PlantedProject): Promise<Reading[]> {
  const toolsets = await Promise.all(rooms.filter(({ name }) => name !== "access").map((room) => loadToolset(room)));
  const readers = toolsets
    .flatMap((toolset) => toolset.tools)
    .filter((tool) => !isOn("mcp", tool) && effects[tool.effect].access === "read")
    // It waits for the end of the work.
    .filter(({ name }) => name !== "forge_follow_execution");
  return readers.flatMap(({ name, ...tool }) =>
    (inputsOf({ name, ...tool }, project) ?? [{}]).map((body) => ({
      method: "POST",
      path: `/api/tools/${name}`,
      body,
    })),
  );
}

function listRouteReadings(): Reading[] {
  const routes = ticketRoutes.filter(({ effect, method }) => method === "GET" && effects[effect].access === "read");
  expect(routes.length).toBeGreaterThan(5);
  const paths = [...routes, activityRoute].map(({ path }) => path.replaceAll(/:\w+/g, "T-001"));
  return [...paths, "/status", "/api/events?after=0"].map((path) => ({ method: "GET", path }));
}

test("K whatever an assistant reads over REST is noted before it is sent", async () => {
  const project = await plantProject({ isTrusted: true });
  const { program } = project;
  const notes = await countNotes(project);
  const send = await openApp(project);
  const [unnoticed, showing] = [new Set<string>(), new Set<string>()];
  for (const { method, path, body } of [...listRouteReadings(), ...(await listToolReadings(project))]) {
    const before = notes.count;
    const response = await send(method, path, body);
    // The headers are sent first, and the note is made before them.
    const isNoted = notes.count > before;
    const text = await readStart(response);
    if (!plantedWords.others.some((word) => text.includes(word) && !JSON.stringify(body ?? {}).includes(word)))
      continue;
    showing.add(path);
    if (!isNoted) unnoticed.add(`${path} ${JSON.stringify(body)}: ${text.slice(0, 200)}`);
  }
  expect([...unnoticed]).toEqual([]);
  const expected = ["/api/activity", "/api/tickets", "/api/tools/get_ticket", "/api/tools/list_memories", "/status"];
  expect([...showing].sort()).toEqual(expect.arrayContaining(expected));
  expect(await (await program.store()).guard.hasReadUntrusted(program.principal("any of them"))).toBe(true);
});

test("N what `forge call`, `forge prompt` and `forge resource` print in a shell is noted", async () => {
  const project = await plantProject({ isTrusted: true });
  const notes = await countNotes(project);
  const calls = makeToolCalls(
    async () => project.program,
    () => undefined,
  );
  for (const read of [
    () => calls.call("get_ticket_context", { ticketId: "T-001" }, { signal }),
    () => calls.prompt("forge_review", { ticketId: "T-001" }, signal),
    () => calls.resource("forge://tickets", signal),
    () => calls.call("forge_start_ticket", { ticketId: "T-004" }, { signal }).catch((error) => JSON.stringify(error)),
  ]) {
    const before = notes.count;
    expect(JSON.stringify(await read())).toContain(plantedWords.others[1]);
    expect(notes.count).toBeGreaterThan(before);
  }
});

/** Counts what the guard has written down, from now on. */
async function countNotes({ program }: PlantedProject): Promise<{ count: number }> {
  const [shared, { guard }] = await Promise.all([program.openShared(), program.store()]);
  const notes = { count: 0 };
  const note = guard.noteUntrusted;
  const noteUntrusted: typeof note = async (principal, from) => {
    await note(principal, from);
    notes.count++;
  };
  Object.assign(guard, { noteUntrusted });
  Object.assign(shared, { noteUntrusted });
  return notes;
}

async function openApp({ program, cwd }: PlantedProject) {
  const { redactor, newId } = await program.openShared();
  const page = { version: "0", project: cwd, toolsets: [] };
  const options = { program, roomSet: builtRooms, page, mcpUrl: () => "", readOnly: false, hasTokens: true, files };
  const board = await openBoard(options);
  onTestFinished(() => board.stop());
  const { ledger } = await program.store();
  const app = createApp({
    mcp: async () => new Response(),
    status: async () => ({ ...page, mcpUrl: "", activity: await ledger.latest({ limit: 500 }) }),
    ...board,
    tokens: { client: secret, board: "l".repeat(43) },
    redactor,
    log: () => undefined,
    newId,
  });
  await program.services(roomNamed("tickets"));
  const headers = { host: "127.0.0.1:7717", "content-type": "application/json", authorization: `Bearer ${secret}` };
  return async (method: string, path: string, body: unknown) =>
    app.request(path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
}

/** Of a stream only what comes first: it does not end. */
async function readStart(response: Response): Promise<string> {
  if (!response.headers.get("content-type")?.includes("event-stream")) return response.text();
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return Buffer.from(value ?? []).toString();
}
