import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../src/platform/db/database.ts";
import { makeAccess } from "../../src/rooms/access/service/access.ts";
import { ForgeProcess } from "../harness/cli/forge-process.ts";
import { migrations } from "../harness/db/all-migrations.ts";
import { makeSandbox } from "../harness/git/git.ts";
import { setUp } from "../harness/rooms/access.ts";

const writers = 8;

it("K33 killed in the middle of changes, it starts again with all that it has acknowledged, and goes on", async () => {
  const sandbox = makeSandbox();
  onTestFinished(() => sandbox.dispose());
  const data = join(sandbox.root, "server");
  const start = async () => {
    const server = new ForgeProcess(["serve", "--port", "0", "--data", data, "--json"], {
      cwd: sandbox.root,
      env: sandbox.environment,
    });
    return { server, url: await server.says(/"url":\s*"([^"]+)"/) };
  };
  const first = await start();
  const database = openDatabase<unknown>({ file: join(data, "forge.db") }, migrations);
  const { pair } = await setUp(makeAccess({ database }));
  await database.close();
  const create = (url: string) =>
    fetch(`${url}/api/tickets`, {
      method: "POST",
      headers: { authorization: `Bearer ${pair.accessToken}`, "content-type": "application/json" },
      body: JSON.stringify({ title: "Under load" }),
    });

  const acknowledged = new Set<string>();
  async function write(): Promise<void> {
    for (;;) {
      const id = await create(first.url).then(
        async (answer) => ((await answer.json()) as { id: string }).id,
        () => undefined,
      );
      if (id === undefined) return;
      acknowledged.add(id);
      if (acknowledged.size === 40) first.server.child.kill("SIGKILL");
    }
  }
  await Promise.all(Array.from({ length: writers }, write));
  expect(await first.server.exited).toEqual([null, "SIGKILL"]);

  const second = await start();
  expect(await (await fetch(`${second.url}/ready`)).json()).toEqual({ ready: true });
  const kept: string[] = [];
  for (let cursor = ""; ; ) {
    const answer = await fetch(`${second.url}/api/tickets?limit=20${cursor}`, {
      headers: { authorization: `Bearer ${pair.accessToken}` },
    });
    const page = (await answer.json()) as { tickets: { id: string }[]; nextCursor?: string };
    kept.push(...page.tickets.map(({ id }) => id));
    if (page.nextCursor === undefined) break;
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
  }
  expect(kept).toEqual(expect.arrayContaining([...acknowledged]));
  // What was under way may have been kept without a word, and nothing else.
  expect(new Set(kept).size).toBe(kept.length);
  expect(kept.length).toBeLessThanOrEqual(acknowledged.size + writers);
  expect((await create(second.url)).status).toBe(201);
});
