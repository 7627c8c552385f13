import { expect, it } from "vitest";
import { by } from "../../../test/harness/caller.ts";
import type { CallRecord } from "../../kernel/call.ts";
import { Relay } from "./relay.ts";

type Sent = { id: string; name: string }[];

/** A relay that sends when it is told to, to a server that may be away. */
function startRelay() {
  const own: string[] = [];
  const sent: Sent[] = [];
  const failures: unknown[] = [];
  const server = { isAway: false };
  const relay = new Relay({
    recorder: { open: async () => undefined, close: async ({ id }) => void own.push(id) },
    async send(entries) {
      if (server.isAway) throw new Error("away");
      sent.push(entries);
    },
    failing: (error) => failures.push(error),
    delayMs: 3_600_000,
  });
  const close = async (changes: Partial<CallRecord>) => {
    const record: CallRecord = { ...by().record, outcome: "ok", ...changes };
    await relay.close(record);
    return record.id;
  };
  return { relay, close, own, sent, failures, server };
}

it("tells what was done, without who: the token says that", async () => {
  const { relay, close, own, sent } = startRelay();
  const id = await close({ name: "get_repository_context", agent: "claude-code" });
  await close({ kind: "completion" });
  await relay.flush();
  expect(own).toHaveLength(2);
  expect(sent).toMatchObject([[{ id, name: "get_repository_context", agent: "claude-code", outcome: "ok" }]]);
  expect(sent[0]?.[0]).not.toHaveProperty("principal");
});

it("tells later what it could not tell, and says so once", async () => {
  const { relay, close, sent, failures, server } = startRelay();
  server.isAway = true;
  const first = await close({});
  await relay.flush();
  const second = await close({});
  await relay.flush();
  expect(failures).toHaveLength(1);
  server.isAway = false;
  await relay.flush();
  expect(sent.flat().map(({ id }) => id)).toEqual([first, second]);
});

it("sends in batches and keeps the newest thousand", async () => {
  const { relay, close, sent } = startRelay();
  for (let count = 0; count < 1_050; count++) await close({ name: `call ${count}` });
  await relay.flush();
  expect(sent.map((batch) => batch.length)).toEqual(Array.from({ length: 10 }, () => 100));
  expect(sent[0]?.[0]?.name).toBe("call 50");
});
