import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { type Changed, type Elicited, keyFile, startGuarded } from "../../../test/harness/commons/guard.ts";
import { guardToolset, hostileTicket } from "../../../test/harness/commons/guard-toolset.ts";
import { describeOnEngines } from "../../../test/harness/db/store.ts";
import { eras } from "../../../test/harness/mcp/client.ts";
import { rawClient } from "../../../test/harness/mcp/fixture-wires.ts";
import { stateless } from "../../../test/harness/mcp/wire.ts";
import { invoke } from "../../kernel/calls/invoke.ts";
import { localPrincipal, type Principal } from "../../kernel/principal.ts";

const accept: Elicited = { action: "accept", content: { allow: true } };
const outside = "file:docs/public.md";

function approvalOf(changed: Changed): string {
  if (changed.done || changed.approval === undefined) throw new Error("it should have waited for a person");
  return changed.approval;
}

describeOnEngines("H06 what others wrote and what is changed", (engine) => {
  async function start(options: Parameters<typeof startGuarded>[1] = {}) {
    const place = await engine.fresh();
    const key = engine.name === "sqlite" ? keyFile() : undefined;
    const begin = () => startGuarded(place, { key, ...options });
    return { ...begin(), begin };
  }

  async function approve({ guard }: Pick<ReturnType<typeof startGuarded>, "guard">, id: string) {
    const [waiting] = (await guard.approvals.listWaiting()).filter((approval) => approval.id === id);
    if (!waiting) throw new Error(`${id} does not wait`);
    await guard.approvals.decide(waiting, "approved", "ada");
    return waiting;
  }

  test("another name of the user, as a team's server may give it, does not forget what was read", async () => {
    const { guard } = await start();
    await guard.noteUntrusted(localPrincipal("Ada L", "codex"));
    expect(await guard.hasReadUntrusted(localPrincipal("ada", "codex"))).toBe(true);
    expect(await guard.hasReadUntrusted(localPrincipal("ada", "cursor"))).toBe(false);
    expect(await guard.hasReadUntrusted({ ...localPrincipal("ada", "codex"), kind: "user", id: "user:1" })).toBe(false);
  });

  describe.each(eras)("%s clients", (era) => {
    test("the attack: a hostile ticket is read, a change elsewhere is refused, and the ledger says why", async () => {
      const { connect, done, audit } = await start();
      const { client, read, change } = await connect(era);
      expect(await change(outside, "harmless so far")).toEqual({ done: true });
      expect((await read()).structuredContent).toEqual({ said: hostileTicket });
      for (const touches of [outside, "ticket:T-002", "push:origin/main", "protected:.github/ci.yml"]) {
        expect(await change(touches)).toMatchObject({ done: false, code: "PERMISSION_DENIED" });
      }
      expect(await change("file:src/button.ts")).toEqual({ done: true });
      expect(await change("ticket:T-001")).toEqual({ done: true });
      expect(done).toEqual([`${outside} harmless so far`, "file:src/button.ts", "ticket:T-001"]);
      const refused = "error PERMISSION_DENIED guard:refused:outside-scope";
      expect(await audit()).toEqual([
        `${outside} ok`,
        `${outside} ${refused}`,
        `ticket:T-002 ${refused}`,
        `push:origin/main ${refused}`,
        `protected:.github/ci.yml ${refused}`,
        "file:src/button.ts ok",
        "ticket:T-001 ok",
      ]);
      expect(
        (await client.listTools()).tools.map(({ name }) => name).filter((name) => /approv|confirm/.test(name)),
      ).toEqual([]);
    });

    test("a person who is asked and says yes has it done, once; for another change they are asked again", async () => {
      const { connect, done, audit } = await start();
      const asked: string[] = [];
      const person = (message: string): Elicited => {
        asked.push(message);
        return asked.length === 1 ? accept : { action: "accept", content: { allow: false } };
      };
      const { read, change } = await connect(era, person);
      await read();
      expect(await change(outside, "one")).toEqual({ done: true });
      expect(await change(outside, "one")).toMatchObject({ done: false });
      expect(await change(outside, "two")).toMatchObject({ done: false });
      expect(asked).toHaveLength(3);
      expect(asked[0]).toContain("has read text written by others");
      expect(asked[0]).toContain(outside);
      expect(done).toEqual([`${outside} one`]);
      const entries = (await audit()).filter((entry) => !entry.includes(" asked "));
      expect(entries).toEqual([
        `${outside} ok guard:confirmed-by-person`,
        `${outside} error PERMISSION_DENIED guard:refused:outside-scope`,
        `${outside} error PERMISSION_DENIED guard:refused:outside-scope`,
      ]);
    });

    test.each<[string, Elicited]>([
      ["declines", { action: "decline" }],
      ["turns away", { action: "cancel" }],
      ["accepts without the word", { action: "accept", content: {} }],
    ])("a person who %s has nothing changed", async (_how, answer) => {
      const { connect, done } = await start();
      const { read, change } = await connect(era, () => answer);
      await read();
      expect(await change(outside).catch(() => ({ done: false }))).toMatchObject({ done: false });
      expect(done).toEqual([]);
    });

    test("where nobody can be asked, `forge approve` allows exactly this change, of this caller, once", async () => {
      const { connect, guard, done, audit } = await start();
      const { read, change } = await connect(era);
      const other = await connect(era, undefined, "another");
      await read();
      await other.read();
      const id = approvalOf(await change(outside, "one"));
      expect(approvalOf(await change(outside, "one"))).toBe(id);
      await approve({ guard }, id);
      expect(await change(outside, "two")).toMatchObject({ done: false });
      expect(await change("file:docs/other.md", "one")).toMatchObject({ done: false });
      expect(await other.change(outside, "one")).toMatchObject({ done: false });
      expect(await change(outside, "one")).toEqual({ done: true });
      expect(await change(outside, "one")).toMatchObject({ done: false });
      expect(done).toEqual([`${outside} one`]);
      expect((await audit()).at(-2)).toBe(`${outside} ok guard:confirmed-by-person:${id}`);
    });

    test("nobody washes himself clean by reconnecting, or by a restart of the server", async () => {
      const { connect, begin } = await start();
      await (await connect(era)).read();
      expect(await (await connect(era)).change(outside)).toMatchObject({ done: false });
      const again = begin();
      expect(await (await again.connect(era)).change(outside)).toMatchObject({ done: false });
      expect(await (await again.connect(era, undefined, "another")).change(outside)).toEqual({ done: true });
    });

    test("a prompt, a resource and an error that quotes a ticket count as reading it; a list of files does not", async () => {
      const { connect } = await start();
      const ways = {
        prompt: (client: Client) => client.getPrompt({ name: "ticket" }),
        resource: (client: Client) => client.readResource({ uri: "forge://ticket" }),
        error: (client: Client) => client.callTool({ name: "read_ticket", arguments: { id: "T-9" } }),
      };
      for (const [name, way] of Object.entries(ways)) {
        const { client, change } = await connect(era, undefined, name);
        await client.callTool({ name: "list_files", arguments: {} });
        expect(await change(outside), name).toEqual({ done: true });
        await way(client);
        expect(await change(outside), name).toMatchObject({ done: false });
      }
    });
  });

  test("one that gives no name may be any of them: it shares what the others have read, and they what it has", async () => {
    const { runtime, guard, done } = await start();
    const [, , change] = guardToolset.tools;
    if (!change) throw new Error("the fixture has no tool to change something");
    const as = async (agent: string | undefined, more: Partial<Principal> = {}) => {
      const principal = { ...localPrincipal("ada", agent), ...more };
      const signal = new AbortController().signal;
      const caller = { principal, signal, report: () => {}, log: () => {}, canAsk: () => false, ask: async () => ({}) };
      const { kind } = await invoke(runtime, "guarded", change, { touches: outside }, caller);
      return kind === "value";
    };
    await guard.noteUntrusted(localPrincipal("ada", "one"));
    expect([await as("one"), await as("two"), await as(undefined)]).toEqual([false, true, false]);
    await guard.noteUntrusted(localPrincipal("ada"));
    expect([await as("two"), await as("two", { id: "user:bob" })]).toEqual([false, true]);
    expect(await as("forge", { atKeyboard: true })).toBe(true);
    expect(done).toHaveLength(3);
  });

  test("a reading counts for a day, whatever the clock does in between", async () => {
    let now = 1_000_000_000_000;
    const { connect } = await start({ now: () => now });
    const { read, change } = await connect("modern");
    await read();
    now += 23 * 3_600_000;
    await read();
    now += 23 * 3_600_000;
    expect(await change(outside)).toMatchObject({ done: false });
    now -= 1_000 * 3_600_000;
    expect(await change(outside)).toMatchObject({ done: false });
    now += 1_002 * 3_600_000;
    expect(await change(outside)).toEqual({ done: true });
  });

  test("an approval is good for an hour, and a denial says no", async () => {
    let now = 1_000_000_000_000;
    const { connect, guard } = await start({ now: () => now });
    const { read, change } = await connect("modern");
    await read();
    const id = approvalOf(await change(outside));
    const waiting = await approve({ guard }, id);
    await expect(guard.approvals.decide(waiting, "approved", "ada")).rejects.toMatchObject({ code: "NOT_FOUND" });
    now += 3_600_000;
    const second = approvalOf(await change(outside));
    expect(second).not.toBe(id);
    const [again] = await guard.approvals.listWaiting();
    if (again) await guard.approvals.decide(again, "denied", "ada");
    expect(await change(outside)).toMatchObject({ done: false, message: expect.stringContaining("rejected") });
  });

  test("a person approves what they saw: another change under the same name is not approved", async () => {
    const { connect, guard } = await start();
    const { read, change } = await connect("modern");
    await read();
    const id = approvalOf(await change(outside));
    const decide = guard.approvals.decide({ id, sha256: "0".repeat(64) }, "approved", "ada");
    await expect(decide).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("a flood of wishes is cut short", async () => {
    const { connect, guard } = await start();
    const { read, change } = await connect("modern");
    await read();
    for (let wish = 0; wish < 25; wish++) await change(outside, String(wish));
    expect(await guard.approvals.listWaiting()).toHaveLength(20);
    expect(await change(outside, "one more")).toMatchObject({ message: expect.stringContaining("Too many") });
  });

  test("what cannot be remembered is not handed out", async () => {
    const { connect, runtime } = await start();
    const { client } = await connect("modern");
    runtime.noteUntrusted = async () => {
      throw new Error("the disk is full");
    };
    for (const id of ["T-001", "T-9"]) {
      const result = await client.callTool({ name: "read_ticket", arguments: { id } });
      expect(result.isError).toBe(true);
      expect(JSON.stringify(result)).not.toContain("IMPORTANT");
    }
  });

  test("H14 the question and the list show no character that hides another", async () => {
    const { connect, guard } = await start();
    const asked: string[] = [];
    const { read, change } = await connect("modern", (message) => {
      asked.push(message);
      return { action: "decline" };
    });
    const silent = await connect("modern", undefined, "assistant");
    await read();
    await change("file:a\u202egpj.sh\n\u200b");
    await silent.change("file:a\u202egpj.sh\n");
    const [waiting] = await guard.approvals.listWaiting();
    expect(`${asked[0]}${waiting?.summary}`).not.toMatch(/[\u202e\u200b\n]/);
  });

  test("R16 an answer for one change cannot be used for another, changed, or used twice", async () => {
    const { host, done } = await start();
    const request = await rawClient(host);
    const call = (args: object, more: object = {}) =>
      request("tools/call", stateless({ name: "change", arguments: args, ...more }, { elicitation: {} }));
    await request("tools/call", stateless({ name: "read_ticket", arguments: {} }));
    const first = await call({ touches: outside, content: "one" });
    const state = String(first.result?.["requestState"]);
    const [key = ""] = Object.keys(Object(first.result?.["inputRequests"]));
    const answer = (requestState: string | undefined) => ({ requestState, inputResponses: { [key]: accept } });
    const refused = { error: { code: -32602 } };
    expect(await call({ touches: outside, content: "two" }, answer(state))).toMatchObject(refused);
    expect(await call({ touches: outside, content: "one" }, answer(`${state}x`))).toMatchObject(refused);
    expect((await call({ touches: outside, content: "one" }, answer(undefined))).result).toMatchObject({
      resultType: "input_required",
    });
    expect(done).toEqual([]);
    const told = await call({ touches: outside, content: "one" }, answer(state));
    expect(told.result?.["structuredContent"]).toEqual({ said: "done" });
    expect(await call({ touches: outside, content: "one" }, answer(state))).toMatchObject(refused);
    expect(done).toEqual([`${outside} one`]);
  });

  if (engine.name === "sqlite")
    test("H09 an approval written into the database file by another is none", async () => {
      const { connect, database, guard, done } = await start();
      const { read, change } = await connect("modern");
      await read();
      const [forged, real] = [approvalOf(await change(outside, "a")), approvalOf(await change(outside, "b"))];
      await approve({ guard }, real);
      const { seal } = await database.read((db) =>
        db.selectFrom("approval").select("seal").where("id", "=", real).executeTakeFirstOrThrow(),
      );
      for (const given of [null, "", seal]) {
        await database.transaction((tx) =>
          tx.updateTable("approval").set({ decision: "approved", seal: given }).where("id", "=", forged).execute(),
        );
        expect(await change(outside, "a")).toMatchObject({ done: false });
      }
      expect(done).toEqual([]);
    });
});
