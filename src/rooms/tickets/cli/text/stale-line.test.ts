import { describe, expect, test } from "vitest";
import { aroundCalls, TicketCli } from "../../../../../test/harness/rooms/tickets/ticket-cli.ts";
import { localTime } from "../../../../commons/cli/print/local-time.ts";

const since = "2026-11-03T08:00:00.000Z";
const note = `The server cannot be reached. This is the last known copy, as of ${localTime(since)}.`;

/** Every answer is an old copy, as from a server that is away. */
const offline = { with: aroundCalls(async (_name, _input, call) => ({ ...Object(await call()), stale: since })) };

async function withTicket(): Promise<TicketCli> {
  const cli = new TicketCli();
  await cli.add();
  return cli;
}

describe("an old copy is marked", () => {
  test.each(["list", "list --plain", "list --tsv", "export T-001", "export --all"])(
    "by forge %s, beside the data",
    async (line) => {
      const cli = await withTicket();
      const { out, err } = await cli.run(line, offline);
      expect(err).toContain(note);
      expect(out).not.toContain("last known copy");
      expect((await cli.run(line)).err).toBe("");
    },
  );

  test.each(["show T-001", "questions T-001", "status T-001"])("by forge %s, at the top", async (line) => {
    const cli = await withTicket();
    expect((await cli.run(line, offline)).out.split("\n")[0]).toBe(note);
    expect(await cli.do(line)).not.toContain("last known copy");
  });

  test.each(["list", "show T-001", "questions T-001", "status T-001"])("by forge %s --json", async (line) => {
    const cli = await withTicket();
    expect((await cli.run(`${line} --json`, offline)).json()).toMatchObject({ stale: since });
    expect(await cli.json(line)).not.toHaveProperty("stale");
  });
});
