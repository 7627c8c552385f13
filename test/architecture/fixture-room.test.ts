import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openMcpHost } from "../../src/app/local/mcp-host.ts";
import { Program } from "../../src/app/local/program.ts";
import { ToolSelection } from "../../src/app/local/tool-selection.ts";
import { loadMigrations } from "../../src/app/migrations.ts";
import { openTeamApp } from "../../src/app/server/team-app.ts";
import { resolveSettings } from "../../src/app/settings/config.ts";
import { Redactor } from "../../src/kernel/text/redactor.ts";
import { openDatabase } from "../../src/platform/db/database.ts";
import { findProject } from "../../src/platform/state/project.ts";
import { makeAccess } from "../../src/rooms/access/service/access.ts";
import { rooms } from "../../src/rooms.ts";
import { CliProject } from "../harness/cli/cli.ts";
import { temporaryFolder } from "../harness/db/store.ts";
import { connectClient } from "../harness/mcp/client.ts";
import { setUp } from "../harness/rooms/access.ts";
import { roomSetOf } from "../harness/rooms/fixture-room.ts";
import { makeZooRoom } from "./zoo-room.ts";

const zooRoom = makeZooRoom((await loadMigrations()).length + 1);

/** The one line. */
const allRooms = [...rooms, zooRoom];

const roomSet = await roomSetOf([zooRoom], allRooms);

test("a room that is added by one line has its commands run, helped and completed", async () => {
  const project = new CliProject();
  const forge = (line: string | string[]) => project.run(line, { roomSet });
  expect(await forge("zoo add Zebra")).toMatchObject({ code: 0, out: "Added Zebra.\n", err: "" });
  expect((await forge("zoo list")).out).toBe("Zebra\n");
  expect((await forge("help all")).out).toContain("forge zoo             Work with animals");
  expect((await forge("zoo --help")).out).toContain("forge zoo add   Add an animal");
  expect((await forge("zoo add --help")).out).toContain("Usage: forge zoo add NAME");
  expect((await forge(["__complete", "--", "zoo", "a"])).out).toBe("add\tAdd an animal\n:words\n");
  expect(JSON.parse((await forge("log --json")).out)).toMatchObject([
    { kind: "command", name: "forge zoo add", effect: "add" },
    { kind: "command", name: "forge zoo list" },
  ]);
});

test("its tools, prompts and resources are listed and answer over MCP", async () => {
  const { root } = new CliProject();
  const { settings } = resolveSettings({ flags: { project: root }, env: {}, file: undefined });
  const project = findProject(root);
  const program = new Program({
    ...{ rooms: allRooms, settings, project, cwd: root },
    ...{ redactor: new Redactor(), log: () => undefined, atKeyboard: false },
  });
  onTestFinished(() => program.close());
  const selection = { toolsets: "auto", profile: undefined, readOnly: false };
  const { toolsets, lists } = new ToolSelection(selection, project, roomSet);
  const client = await connectClient(
    await openMcpHost({ roomSet, program, toolsets, lists, readOnly: false }),
    "modern",
  );
  const { tools } = await client.listTools();
  expect(tools.map((tool) => tool.name)).toEqual(expect.arrayContaining(["add_animal", "list_animals"]));
  await client.callTool({ name: "add_animal", arguments: { name: "Gnu" } });
  const listed = await client.callTool({ name: "list_animals", arguments: {} });
  expect(listed.structuredContent).toEqual({ animals: ["Gnu"] });
  expect((await client.listPrompts()).prompts.map((prompt) => prompt.name)).toContain("zoo_tour");
  expect(JSON.stringify(await client.getPrompt({ name: "zoo_tour" }))).toContain("Describe Gnu.");
  expect(await client.readResource({ uri: "forge://animals" })).toMatchObject({ contents: [{ text: "Gnu" }] });
  expect(lists.instructions).toContain("Zoo: Call add_animal for every animal you meet.");
});

const folder = temporaryFolder();

test("its route answers on a team's server, whose store has its table", async () => {
  const database = openDatabase<unknown>({ file: join(folder(), "forge.db") }, await loadMigrations(allRooms));
  onTestFinished(() => database.close());
  const access = makeAccess({ database, passwordCost: { N: 1024, r: 8, p: 1 } });
  const server = await openTeamApp({
    ...{ database, access, rooms: allRooms, publicUrl: () => "https://forge.example", host: "127.0.0.1" },
    ...{ redactor: new Redactor(), log: () => undefined },
  });
  onTestFinished(() => server.stop());
  const { pair } = await setUp(access);
  const headers = { host: "forge.example", authorization: `Bearer ${pair.accessToken}` };
  await database
    .forTables<{ zoo_animal: { name: string } }>()
    .transaction((tx) => tx.insertInto("zoo_animal").values({ name: "Okapi" }).execute());
  const response = await server.app.request("/api/animals", { headers });
  expect(await response.json()).toEqual({ animals: ["Okapi"] });
  expect((await server.app.request("/api/animals", { headers: { host: "forge.example" } })).status).toBe(401);
  const described = await server.app.request("/api/openapi.json", { headers: { host: "forge.example" } });
  expect(await described.json()).toMatchObject({ paths: { "/api/animals": { get: {} } } });
});
