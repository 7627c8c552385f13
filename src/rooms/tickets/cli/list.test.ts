import { describe, expect, test } from "vitest";
import { CapturedStream } from "../../../../test/harness/cli/cli.ts";
import { aroundCalls, atTerminal, TicketCli } from "../../../../test/harness/rooms/tickets/ticket-cli.ts";
import { userName } from "../../../platform/host/user-name.ts";
import { plainLines } from "../../../platform/terminal/text.ts";
import { statuses } from "../model/status.ts";

const hostile = "Fix\tthe \x1b[31mlogin\u202e now\x07";

describe("the filter", () => {
  test.each([
    ["list", {}],
    ["ls", {}],
    ["search login", { text: "login" }],
    ["list login", { text: "login" }],
    ["list --status ready", { status: ["READY"] }],
    [
      "list --status forged,Executing --status in-question-round-1",
      { status: ["READY", "CREATED", "IN_QUESTION_ROUND_1"] },
    ],
    ["list --status ready,approved,todo", { status: ["READY"] }],
    ["list --status wip,done", { status: ["CREATED", "COMPLETE"] }],
    ["list --all", { status: statuses }],
    ["list --all --status ready", { status: ["READY", "ARCHIVED"] }],
    ["list --assignee me --priority urgent --type bug", { assignee: "me", priority: "urgent", type: "bug" }],
    ["list -n 3", { limit: 3 }],
  ])("forge %s", async (line, filter) => {
    const calls: unknown[] = [];
    const spy = aroundCalls((name, input, call) => {
      calls.push([name, input]);
      return call();
    });
    const { code } = await new TicketCli().run(line, { with: spy });
    expect(code).toBe(0);
    expect(calls).toEqual([["list_tickets", { limit: 50, ...filter }]]);
  });

  test("finds tickets by status, assignee, priority, type and words; `me` is the user", async () => {
    const cli = new TicketCli();
    await cli.do(["create", "Fix the login", "--assignee", "me", "--priority", "urgent", "--type", "bug"]);
    await cli.do(["create", "Add logout", "--status", "ready"]);
    await cli.do(["create", "Old", "--status", "archived"]);
    const ids = async (line: string) =>
      ((await cli.json(line))["tickets"] as { id: string }[]).map(({ id }) => id).join(" ");
    expect(await ids("list")).toBe("T-002 T-001");
    expect(await ids("list --all")).toBe("T-003 T-002 T-001");
    expect(await ids("list --status todo")).toBe("T-002");
    expect(await ids("list --assignee me")).toBe("T-001");
    expect(await ids(`list --assignee ${userName()}`)).toBe("T-001");
    expect(await ids("list --priority urgent --type bug")).toBe("T-001");
    expect(await ids("list log")).toBe("T-002 T-001");
    expect(await ids("list nothing")).toBe("");
  });

  test.each([
    ["list --status nonsense", 'Unknown status "nonsense".'],
    ["list --status compete", 'Unknown status "compete". Did you mean COMPLETE?'],
    ["list --priority most", "--priority cannot be"],
    ["list --limit 201", "from 1 to 200"],
    ["list two words", "is one too many"],
    ["list --cursor nonsense", "The cursor is not valid."],
  ])("forge %s is an error", async (line, message) => {
    const { code, out, err } = await new TicketCli().run(line);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(message);
  });
});

describe("the output", () => {
  test("on a pipe is one line per ticket: id, status, title and assignee, separated by tabs", async () => {
    const cli = new TicketCli();
    await cli.add({ assignedTo: "grace" });
    await cli.add({ title: hostile });
    expect(await cli.do("list")).toBe(
      "T-002\tREADY\tFix the \\x1b[31mlogin\\u202e now\\x07\t\nT-001\tREADY\tKeep people signed in\tgrace",
    );
  });

  test("with --plain is a table, which names the holders of claims where there are any", async () => {
    const cli = new TicketCli();
    await cli.add({ assignedTo: "grace", priority: "high" });
    expect(await cli.do("list --plain")).toBe(
      "ID     STATUS  PRIORITY  ASSIGNEE  TITLE\nT-001  READY   high      grace     Keep people signed in",
    );
    await cli.do("claim T-001 --worker nightly");
    const [head, row] = (await cli.do("list --plain")).split("\n");
    expect(head).toMatch(/^ID +STATUS +PRIORITY +ASSIGNEE +CLAIMED BY +TITLE$/);
    expect(row).toContain(":nightly");
  });

  test("on a terminal without a live list is the table in its width; --tsv gives the lines", async () => {
    const cli = new TicketCli();
    await cli.add({ title: hostile.repeat(9) });
    const stdout = new CapturedStream({ isTTY: true, columns: 60 });
    await cli.run("list --no-color", { stdout });
    const lines = stdout.text.trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toHaveLength(60);
    expect(stdout.text).not.toContain("\x1b");
    const tsv = new CapturedStream({ isTTY: true });
    await cli.run("list --tsv", { stdout: tsv });
    expect(tsv.text.split("\t")).toHaveLength(4);
  });

  test("as JSON is the page, with control characters escaped", async () => {
    const cli = new TicketCli();
    await cli.add({ title: hostile });
    await cli.add();
    const { out, err } = await cli.run("list --json --limit 1");
    expect(plainLines(out)).toBe(out);
    expect(JSON.parse(out)).toMatchObject({ tickets: [{ id: "T-002", foreign: true }], nextCursor: "T-002" });
    expect(err).toBe("");
    expect(await cli.json("list --cursor T-002")).toMatchObject({
      tickets: [{ title: "Fix the \x1b[31mlogin\u202e now\x07" }],
    });
  });

  test("names the command for the next page on stderr, and that shows it", async () => {
    const cli = new TicketCli();
    for (const title of ["It's one", "It's two", "It's three"]) await cli.add({ title });
    const line = ["list", "it's", "--status", "ready,draft", "--all", "-n", "2", "--tsv"];
    const { out, err } = await cli.run(line);
    expect(out.split("\n").map((row) => row.slice(0, 5))).toEqual(["T-003", "T-002", ""]);
    expect(err).toBe("More: forge list --status=ready,draft --limit=2 --cursor=T-002 --all --tsv 'it'\\''s'\n");
    const next = ["list", "--status=ready,draft", "--limit=2", "--cursor=T-002", "--all", "--tsv", "it's"];
    expect(await cli.run(next)).toMatchObject({ out: "T-001\tREADY\tIt's one\t\n", err: "" });
  });

  test.each([
    ["list", "No tickets yet. Create one with `forge create TITLE`"],
    ["list --all", "No tickets yet."],
    ["list --status ready", "No matching tickets. Run `forge list` to see all tickets."],
    ["list words", "No matching tickets."],
  ])("forge %s says on stderr that there is nothing", async (line, message) => {
    const { out, err, code } = await new TicketCli().run(line);
    expect({ out, code }).toEqual({ out: "", code: 0 });
    expect(err).toContain(message);
  });

  test("after the last ticket says that there are no more", async () => {
    const cli = new TicketCli();
    await cli.add();
    expect(await cli.run("list --cursor T-001")).toMatchObject({
      out: "",
      code: 0,
      err: expect.stringContaining("No more tickets."),
    });
  });
});

describe("on a terminal", () => {
  function liveTerminal() {
    let taken = 0;
    const live = {
      async takeOver() {
        taken++;
        throw new Error("enough seen");
      },
    };
    return { options: { with: atTerminal({ live }) }, taken: () => taken };
  }

  test("the live list takes it over", async () => {
    const { options, taken } = liveTerminal();
    await new TicketCli().run("list", options);
    expect(taken()).toBe(1);
  });

  test.each(["--json", "--tsv", "--plain"])("not with %s", async (option) => {
    const { options, taken } = liveTerminal();
    expect(await new TicketCli().run(`list ${option}`, options)).toMatchObject({ code: 0 });
    expect(taken()).toBe(0);
  });
});
