import { describe, expect, test } from "vitest";
import { CapturedStream, MemoryApp, run } from "../../../../test/harness/cli.ts";
import { memoryTicket } from "../../../../test/harness/memory-desk.ts";
import { plainLines } from "../../../platform/terminal/text.ts";
import { statuses } from "../model/status.ts";

const hostile = "Fix\tthe \x1b[31mlogin\nT-666\tCOMPLETE\u202e now\x07";

function appWith(...tickets: ReturnType<typeof memoryTicket>[]): MemoryApp {
  const app = new MemoryApp();
  app.desk.tickets = tickets;
  return app;
}

describe("what is asked for", () => {
  test.each([
    ["list", { limit: 50 }],
    ["list login", { limit: 50, text: "login" }],
    ["list --status ready", { limit: 50, status: ["READY"] }],
    [
      "list --status forged,Executing --status in-question-round-1",
      { status: ["READY", "CREATED", "IN_QUESTION_ROUND_1"] },
    ],
    ["list --status ready,approved", { status: ["READY"] }],
    ["list --all", { status: statuses }],
    ["list --all --status ready", { status: ["READY", "ARCHIVED"] }],
    ["list --assignee me --priority urgent --type bug", { assignee: "me", priority: "urgent", type: "bug" }],
    ["list -n 3 --cursor abc", { limit: 3, cursor: "abc" }],
  ])("forge %s", async (line, filter) => {
    const { app, code } = await run(line);
    expect(code).toBe(0);
    expect(app.desk.deeds).toEqual([["list", { limit: 50, ...filter }]]);
  });

  test.each([
    ["list --status nonsense", '"nonsense" is no status of a ticket'],
    ["list --priority most", "--priority cannot be"],
    ["list --limit 201", "from 1 to 200"],
    ["list two words", "is one too many"],
  ])("forge %s is refused", async (line, message) => {
    const { app, code, err } = await run(line);
    expect({ code, deeds: app.desk.deeds }).toEqual({ code: 1, deeds: [] });
    expect(err).toContain(message);
  });
});

describe("what is printed", () => {
  test("on a pipe, a line a ticket with tabs between id, status, title and assignee", async () => {
    const app = appWith(memoryTicket({ assignee: "grace" }), memoryTicket({ id: "T-002", title: hostile }));
    expect((await run("list", { app })).out).toBe(
      "T-001\tREADY\tKeep people signed in\tgrace\n" +
        "T-002\tREADY\tFix\\tthe \\x1b[31mlogin\\nT-666\\tCOMPLETE\\u202e now\\x07\t\n",
    );
  });

  test("with --plain, a table; who has claimed one stands there only where somebody has", async () => {
    const claimed = memoryTicket({ id: "T-002", status: "CREATED", claim: { holder: "claude", until: "2026-11-02" } });
    expect((await run("list --plain", { app: appWith(memoryTicket({ assignee: "grace" })) })).out).toBe(
      "ID     STATUS  PRIORITY  ASSIGNEE  TITLE\nT-001  READY   high      grace     Keep people signed in\n",
    );
    expect((await run("list --plain", { app: appWith(claimed) })).out).toBe(
      "ID     STATUS   PRIORITY  ASSIGNEE  CLAIMED BY  TITLE\nT-002  CREATED  high                claude      Keep people signed in\n",
    );
  });

  test("on a terminal that cannot be taken over, the table in its width; --tsv the lines", async () => {
    const app = appWith(memoryTicket({ title: hostile.repeat(9) }));
    const stdout = new CapturedStream({ isTTY: true, columns: 60 });
    await run("list --no-color", { app, stdout });
    const lines = stdout.text.trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toHaveLength(60);
    expect(stdout.text).not.toContain("\x1b");
    const tsv = new CapturedStream({ isTTY: true });
    await run("list --tsv", { app, stdout: tsv });
    expect(tsv.text.split("\t")).toHaveLength(4);
  });

  test("as JSON, the page, with what a terminal would obey escaped", async () => {
    const app = appWith(memoryTicket({ title: hostile }));
    app.desk.nextCursor = "next";
    const { out, err } = await run("list --json", { app });
    expect(plainLines(out)).toBe(out);
    expect(JSON.parse(out)).toMatchObject({ tickets: [{ id: "T-001", title: hostile }], nextCursor: "next" });
    expect(err).toBe("");
  });

  test("the next page's command, word for word, on stderr", async () => {
    const app = appWith(memoryTicket());
    app.desk.nextCursor = "a b'c";
    const line = ["list", "it's", "--status", "ready,draft", "--assignee", "me", "--all", "-n", "2", "--tsv"];
    const { err } = await run(line, { app });
    expect(err).toBe(
      "More: forge list --status=ready,draft --assignee=me --limit=2 --cursor='a b'\\''c' --all --tsv -- 'it'\\''s'\n",
    );
    const [, first] = app.desk.deeds[0] ?? [];
    const again = new MemoryApp();
    await run(
      ["list", "--status=ready,draft", "--assignee=me", "--limit=2", "--cursor=a b'c", "--all", "--tsv", "--", "it's"],
      {
        app: again,
      },
    );
    expect(again.desk.deeds).toEqual([["list", { ...Object(first), cursor: "a b'c" }]]);
  });

  test.each([
    ["list", "No tickets yet. `forge create TITLE`"],
    ["list --status ready", "`forge list` without a filter"],
    ["list --cursor x", "No more tickets."],
  ])("forge %s of nothing says so on stderr", async (line, message) => {
    const { out, err, code } = await run(line, { app: appWith() });
    expect({ out, code }).toEqual({ out: "", code: 0 });
    expect(err).toContain(message);
  });
});

describe("on a terminal", () => {
  function atTerminal() {
    const app = new MemoryApp();
    let taken = 0;
    app.terminal = {
      async takeOver() {
        taken++;
        throw new Error("enough seen");
      },
    };
    return { app, taken: () => taken };
  }

  test("the list takes it over", async () => {
    const { app, taken } = atTerminal();
    await run("list", { app });
    expect(taken()).toBe(1);
  });

  test.each(["--json", "--tsv", "--plain"])("not with %s", async (option) => {
    const { app, taken } = atTerminal();
    expect(await run(`list ${option}`, { app })).toMatchObject({ code: 0 });
    expect(taken()).toBe(0);
  });
});
