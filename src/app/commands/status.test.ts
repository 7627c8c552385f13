import { expect, test } from "vitest";
import { MemoryApp, run } from "../../../test/harness/cli.ts";
import { ada } from "../../../test/harness/memory-access.ts";
import { ForgeError } from "../../kernel/errors.ts";

async function ticketsLine(app: MemoryApp): Promise<[line: string | undefined, data: unknown]> {
  const { out } = await run("status", { app });
  const json = JSON.parse((await run("status --json", { app })).out);
  return [out.split("\n").find((line) => line.startsWith("Tickets:")), json.tickets];
}

function failing(code: "AUTH_REQUIRED" | "NETWORK_ERROR", message: string): MemoryApp {
  const app = new MemoryApp();
  app.accessDesk.whoAmI = async () => {
    throw new ForgeError(code, message);
  };
  return app;
}

test("tickets are a team's on a server for whoever is signed in", async () => {
  expect(await ticketsLine(new MemoryApp())).toEqual([
    "Tickets:   https://forge.example, team Engines",
    { from: "server", server: "https://forge.example", team: "Engines" },
  ]);
});

test("they are the project's own for whoever is not", async () => {
  const app = failing("AUTH_REQUIRED", "You are not signed in to a Forge server.");
  expect(await ticketsLine(app)).toEqual(["Tickets:   this project's own", { from: "project" }]);
});

test("a server that is away is named, with what is wrong, and the rest is shown", async () => {
  const app = failing("NETWORK_ERROR", "Cannot reach it.");
  app.accessDesk.here = ada;
  const [line, data] = await ticketsLine(app);
  expect(line).toBe("Tickets:   https://forge.example (Cannot reach it.)");
  expect(data).toEqual({ from: "server", server: "https://forge.example", error: "Cannot reach it." });
});
