import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../src/platform/db/database.ts";
import { makeAccess } from "../../src/rooms/access/service/access.ts";
import { migrations } from "../harness/db/all-migrations.ts";
import { describeWithPostgres } from "../harness/db/store.ts";
import { setUp } from "../harness/rooms/access.ts";

const forge = join(import.meta.dirname, "..", "..", "bin", "forge.cjs");

/** `forge serve` on a database; `url` is where it says that it is. */
async function serve(databaseUrl: string) {
  const home = mkdtempSync(join(tmpdir(), "forge-serve-"));
  const env = { PATH: process.env["PATH"], HOME: home, DATABASE_URL: databaseUrl, FORGE_LOG: "info" };
  const child = spawn(process.execPath, [forge, "serve", "--port", "0", "--json"], {
    cwd: home,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
    rmSync(home, { recursive: true, force: true });
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const first = await Promise.race([once(child.stdout.setEncoding("utf8"), "data"), exited]);
  const { url } = JSON.parse(String(first[0])) as { url: string };
  return { url, home, child, exited, errors: () => errors };
}

describeWithPostgres("forge serve as a process", (engine) => {
  it("reads and writes tickets in the database of DATABASE_URL, and ends cleanly on SIGTERM", async () => {
    const place = await engine.fresh();
    const { url, home, child, exited, errors } = await serve("url" in place ? place.url : "");
    const database = openDatabase<{ ticket: { id: string; title: string } }>(place, migrations);
    onTestFinished(() => database.close());
    const { pair } = await setUp(makeAccess({ database: database.forTables<unknown>() }));
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    /** Answers once the request is out, with what becomes of it. */
    const send = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${pair.accessToken}`, "content-type": "application/json" };
      const sent = httpRequest(`${url}${path}`, { method, agent, headers });
      const answer = once(sent, "response").then(async ([response]) => {
        let text = "";
        for await (const chunk of response.setEncoding("utf8")) text += chunk;
        return { status: response.statusCode, body: JSON.parse(text) };
      });
      sent.end(body && JSON.stringify(body));
      await Promise.race([once(sent, "finish"), answer]);
      return { answer };
    };

    const made = await (await send("POST", "/api/tickets", { title: "Add logout" })).answer;
    expect(made).toMatchObject({ status: 201, body: { title: "Add logout" } });
    const read = await (await send("GET", `/api/tickets/${made.body.id}`)).answer;
    expect(read).toMatchObject({ status: 200, body: { id: made.body.id } });

    const last = await send("PATCH", `/api/tickets/${made.body.id}`, { title: "Add logout everywhere" });
    child.kill("SIGTERM");
    expect(await last.answer).toMatchObject({ status: 200, body: { title: "Add logout everywhere" } });
    expect(await exited).toEqual([0, null]);
    expect(errors()).toContain(`${url}/setup?code=`);
    expect(errors()).not.toMatch(/error|went wrong/i);
    expect(errors()).toMatch(/^\[forge\] info: team server started url=http:\S+ version=\S+$/m);
    expect(errors()).toMatch(/^\[forge\] info: team server stopped url=http:\S+$/m);
    const kept = await database.read((db) => db.selectFrom("ticket").select("title").execute());
    expect(kept).toEqual([{ title: "Add logout everywhere" }]);
    expect(readdirSync(home)).not.toContain(".forge");
  });
});
