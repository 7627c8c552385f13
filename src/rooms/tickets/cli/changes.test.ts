import { describe, expect, test } from "vitest";
import { MemoryApp, run } from "../../../../test/harness/cli.ts";
import { memoryTicket } from "../../../../test/harness/memory-desk.ts";

function appWith(...tickets: ReturnType<typeof memoryTicket>[]): MemoryApp {
  const app = new MemoryApp();
  app.desk.tickets = tickets;
  return app;
}

describe("status", () => {
  test("without an id it is the project's", async () => {
    const { out, app } = await run("status");
    expect(out).toContain("Project:   /home/ada/shop");
    expect(app.desk.deeds).toEqual([]);
  });

  test("of a ticket, with what it can become", async () => {
    expect((await run("status t-001", { app: appWith(memoryTicket({ title: "A\x1b[2J" })) })).out).toBe(
      "T-001 is READY: A\\x1b[2J\nIt can become CREATED, DRIFTED, VALIDATED, DRAFT, ARCHIVED.\n",
    );
    expect(JSON.parse((await run("status T-001 --json")).out)).toEqual({
      id: "T-001",
      title: "Keep people signed in",
      status: "READY",
      moves: ["CREATED", "DRIFTED", "VALIDATED", "DRAFT", "ARCHIVED"],
    });
  });

  test.each(["created", "CREATED", "Executing"])("forge status T-001 %s moves it", async (name) => {
    const { app, out } = await run(`status T-001 ${name}`);
    expect(app.desk.deeds).toEqual([["move", "T-001", "CREATED"]]);
    expect(out).toBe("T-001 is CREATED now; it was READY.\n");
  });

  test("to where it is already", async () => {
    expect((await run("status T-001 ready")).out).toBe("T-001 is READY already.\n");
    expect(JSON.parse((await run("status T-001 ready --json")).out)).toEqual({
      id: "T-001",
      from: "READY",
      status: "READY",
      moved: false,
    });
  });

  test.each([
    ["status T-001 nowhere", '"nowhere" is no status of a ticket.'],
    ["status T-001 complete", "T-001 is READY and cannot become COMPLETE from there."],
    ["status T-009 ready", "There is no ticket T-009."],
    ["status T-001 ready now", "is one too many"],
  ])("forge %s is refused", async (line, message) => {
    const { code, out, err } = await run(line);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(message);
  });
});

describe("assign", () => {
  test.each([
    ["assign T-001", "me", "T-001 is ada's now.\n"],
    ["assign T-001 me", "me", "T-001 is ada's now.\n"],
    ["assign T-001 grace", "grace", "T-001 is grace's now.\n"],
    ["assign T-001 --none", null, "T-001 is nobody's now.\n"],
  ])("forge %s", async (line, assignee, said) => {
    const { app, out } = await run(line, { app: appWith(memoryTicket({ assignee: "eve" })) });
    expect(app.desk.deeds).toEqual([["assign", "T-001", assignee]]);
    expect(out).toBe(said);
  });

  test("as JSON", async () => {
    expect(JSON.parse((await run("assign T-001 grace --json")).out)).toEqual({ id: "T-001", assignee: "grace" });
    expect(JSON.parse((await run("assign T-001 --none --json")).out)).toEqual({ id: "T-001", assignee: null });
  });

  test("a name and --none contradict each other", async () => {
    expect(await run("assign T-001 grace --none")).toMatchObject({ code: 1, app: { desk: { deeds: [] } } });
  });
});

describe("complete", () => {
  test("with a summary and what is otherwise", async () => {
    const { app, out } = await run([
      ..."complete T-001 --summary Kept. --divergence".split(" "),
      "session | a day|an hour |auditors",
    ]);
    expect(app.desk.deeds).toEqual([
      [
        "complete",
        "T-001",
        {
          summary: "Kept.",
          divergences: [{ area: "session", intended: "a day", actual: "an hour", justification: "auditors" }],
        },
      ],
    ]);
    expect(out).toBe("T-001 is COMPLETE: 1 file changed.\n");
  });

  test("as JSON, the ticket", async () => {
    const done = JSON.parse((await run("complete T-001 --json")).out);
    expect(done).toMatchObject({ id: "T-001", status: "COMPLETE" });
    expect(done).not.toHaveProperty("document");
  });

  test.each(["a|b|c", "a|b|c|d|e", "a||c|d", ""])("the divergence %j is refused", async (divergence) => {
    const { app, code, err } = await run(["complete", "T-001", `--divergence=${divergence}`]);
    expect({ code, deeds: app.desk.deeds }).toEqual({ code: 1, deeds: [] });
    expect(err).toContain("four texts with | between them");
  });
});

test.each([
  "list",
  "show T-001",
  "create Title",
  "status T-001",
  "assign T-001",
  "questions T-001",
  "complete T-001",
  "import a.json",
  "export T-001",
])("being cut off is a failure of forge %s", async (line) => {
  expect((await run(line)).app.failsOnSignals).toBe(true);
});

describe("completion of ids", () => {
  async function offered(line: string, app = new MemoryApp()): Promise<string[]> {
    const { out } = await run(["__complete", "--", ...line.split(" ")], { app });
    return out.trimEnd().split("\n");
  }

  test.each(["show", "status", "assign", "questions", "complete", "export"])("forge %s T<Tab>", async (command) => {
    expect(await offered(`${command} T`)).toEqual(["T-001\tREADY  Keep people signed in", ":words"]);
  });

  test("goes on in the case it was begun in", async () => {
    expect(await offered("show t-")).toEqual(["t-001\tREADY  Keep people signed in", ":words"]);
  });

  test("a hostile title stays on its line", async () => {
    const app = appWith(memoryTicket({ title: "a\n$(id)\t\x1b[2J" }));
    expect(await offered("show T", app)).toEqual(["T-001\tREADY  a\\n$(id)\\t\\x1b[2J", ":words"]);
  });

  test.each([
    ["status T-001 C", ["CREATED\t", ":words"]],
    ["assign T-001 m", ["me\tYou", ":words"]],
    ["questions T-001 --answer Q", ["Q-1=\tFor how long?", ":words"]],
    ["list --status READY,CR", ["READY,CREATED\t", ":words"]],
    ["list --assignee m", ["me\tYou", ":words"]],
    ["create --status V", ["VALIDATED\t", ":words"]],
    ["create --priority u", ["urgent\t", ":words"]],
    ["show T-001 T", [":words"]],
    ["export T-001 T", ["T-001\tREADY  Keep people signed in", ":words"]],
  ])("forge %s<Tab>", async (line, expected) => {
    expect(await offered(line)).toEqual(expected);
  });
});
