import { describe, expect, test } from "vitest";
import { MemoryApp, run } from "../../../../test/harness/cli.ts";
import { memoryTicket } from "../../../../test/harness/memory-desk.ts";
import { localTime } from "../../../commons/cli/local-time.ts";

const since = "2026-11-03T08:00:00.000Z";
const said = `As of ${localTime(since)}: the server cannot be reached; this is the last known copy.`;

/** What a server gave before it was lost. */
function appOffline(): MemoryApp {
  const app = new MemoryApp();
  const { desk } = app;
  desk.tickets = [memoryTicket({ stale: since })];
  const list = desk.list.bind(desk);
  desk.list = async (filter) => ({ ...(await list(filter)), stale: since });
  return app;
}

describe("a copy says that it is one", () => {
  test.each(["list", "list --plain", "list --tsv", "export T-001", "export --all", "export --all -o folder/"])(
    "forge %s, beside the data",
    async (line) => {
      const { out, err } = await run(line, { app: appOffline() });
      expect(err).toContain(said);
      expect(out).not.toContain("As of");
      expect((await run(line)).err).not.toContain("As of");
    },
  );

  test.each(["show T-001", "questions T-001", "status T-001"])("forge %s, at the top", async (line) => {
    expect((await run(line, { app: appOffline() })).out.split("\n")[0]).toBe(said);
    expect((await run(line)).out).not.toContain("As of");
  });

  test.each(["list", "show T-001", "questions T-001", "status T-001"])("forge %s --json", async (line) => {
    expect(JSON.parse((await run(`${line} --json`, { app: appOffline() })).out)).toMatchObject({ stale: since });
    expect(JSON.parse((await run(`${line} --json`)).out)).not.toHaveProperty("stale");
  });
});
