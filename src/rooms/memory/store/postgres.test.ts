import { afterAll, beforeAll, expect, test } from "vitest";
import { findPostgres, type PostgresServer, startPostgres } from "../../../../test/harness/db/postgres.ts";
import { startMemoryServer } from "../../../../test/harness/rooms/memory/memory-server.ts";

type Recalled = { results: { text: string }[]; degraded: boolean };

let postgres: PostgresServer | undefined;
beforeAll(async () => {
  if (findPostgres()) postgres = await startPostgres();
});
afterAll(() => postgres?.stop());

test.skipIf(!findPostgres())(
  "two projects in one database do not see each other's memories",
  async () => {
    const env = { FORGE_DATABASE_URL: postgres?.url ?? "" };
    const named = (name: string) =>
      startMemoryServer({ env, files: { "project-context.yaml": `project:\n  name: ${name}\n` } });
    const [shop, bank] = [await named("Shop"), await named("Bank")];
    const memory = { type: "decisions", agent: "dev", text: "Sessions are stored in Redis." };
    const first = await shop.ok("remember_structured", memory);
    const query = { query: "where are sessions" };
    expect((await bank.ok<Recalled>("recall_structured", query)).results).toEqual([]);
    const second = await bank.ok("remember_structured", memory);
    expect(second["id"]).not.toBe(first["id"]);
    expect((await shop.ok<Recalled>("recall_structured", query)).results).toHaveLength(1);
    expect((await shop.ok("remember_structured", { ...memory, tags: ["x"] }))["created"]).toBe(false);
    const odd = { type: "decisions", agent: "de\0v", text: "Logs\0 rotate.", tags: ["a\0b"] };
    expect(await bank.ok("remember_structured", odd)).toMatchObject({ created: true });
    expect(await bank.ok("remember_structured", { ...odd, agent: "dev", text: "Logs rotate." })).toMatchObject({
      created: false,
    });
    await bank.ok("record_failure", { title: "Only the bank's\0" });
    expect(await shop.ok("get_failure_museum")).toMatchObject({ total: 0 });
    await shop.command("forget_memories", { ids: [first["id"]] });
    const left = (await bank.ok<Recalled>("recall_structured", query)).results.map(({ text }) => text);
    expect(left.sort()).toEqual(["Logs rotate.", memory.text].sort());
    expect((await shop.ok<Recalled>("recall_structured", query)).results).toEqual([]);
  },
  120_000,
);
