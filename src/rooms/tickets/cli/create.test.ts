import { describe, expect, test } from "vitest";
import { CapturedStream } from "../../../../test/harness/cli/cli.ts";
import { atTerminal, TicketCli } from "../../../../test/harness/rooms/tickets/ticket-cli.ts";
import { userName } from "../../../platform/host/user-name.ts";

test("a title alone makes a draft; stdout has the id only", async () => {
  const cli = new TicketCli();
  expect(await cli.run(["create", "Fix the login"])).toMatchObject({ out: "T-001\n", err: "", code: 0 });
  expect(await cli.json("show T-001")).toMatchObject({ title: "Fix the login", status: "DRAFT", foreign: false });
});

test("everything that fits into one line", async () => {
  const cli = new TicketCli();
  await cli.do([
    ..."create Title --description D --problem P --solution S --type bug --priority urgent --assignee me".split(" "),
    ..."--api-changes A --test-plan T --design https://x.example --assumption As --in-scope In --out-of-scope Out".split(
      " ",
    ),
    ..."--status Forged --criterion".split(" "),
    "It works.",
    ..."--criterion Always. --file src/a.ts --file create:src/b.ts --file delete:c.ts --file modify:create:d".split(
      " ",
    ),
  ]);
  expect(await cli.json("show T-001")).toMatchObject({
    title: "Title",
    status: "READY",
    description: "D",
    problemStatement: "P",
    solution: "S",
    type: "bug",
    priority: "urgent",
    assignee: userName(),
    apiChanges: "A",
    testPlan: "T",
    designRefs: ["https://x.example"],
    assumptions: ["As"],
    inScope: ["In"],
    outOfScope: ["Out"],
    criteria: [
      { id: "AC-1", text: "It works." },
      { id: "AC-2", text: "Always." },
    ],
    fileChanges: [
      { path: "src/a.ts", action: "modify" },
      { path: "src/b.ts", action: "create" },
      { path: "c.ts", action: "delete" },
      { path: "create:d", action: "modify" },
    ],
  });
});

test.each(["create", "new", "add", "ticket create", "ticket new", "ticket add"])("forge %s", async (name) => {
  expect(await new TicketCli().do(`${name} Title`)).toBe("T-001");
});

test("as JSON, the ticket without the document it is kept in", async () => {
  const cli = new TicketCli();
  const created = await cli.json("create Title --criterion One.");
  expect(created).toMatchObject({ id: "T-001", title: "Title", status: "DRAFT", criteria: [{ id: "AC-1" }] });
  expect(created).toEqual(await cli.json("show T-001"));
});

test("on a terminal, the next steps are named beside the id", async () => {
  const cli = new TicketCli();
  const stdout = new CapturedStream({ isTTY: true });
  const { err } = await cli.run("create Title", { stdout });
  expect(stdout.text).toBe("T-001\n");
  expect(err).toBe("Created T-001 (DRAFT). Next: `forge edit T-001`, or `forge status T-001 ready`.\n");
});

test.each([
  ["create", "A ticket needs a title."],
  ["create --json", "A ticket needs a title."],
  ["create ab", "TITLE: must have at least 3 characters."],
  ["create Title --status nowhere", 'Unknown status "nowhere".'],
  ["create Title --status done", "A new ticket cannot move from DRAFT to COMPLETE."],
  ["create Title --type idea", "--type cannot be"],
  ["create two words", "is one too many"],
  ["create --title T", 'Write it like: forge create "TITLE"'],
  ["create Title --file explode:src/x", "the action is create, modify or delete"],
  ["create Title --file src/a.ts --file ../x", "--file: must be a path inside the repository, relative to its root."],
  [`create ${"x".repeat(301)}`, "TITLE: must have at most 300 characters."],
  [`create Title ${"--criterion It-works. ".repeat(501)}`, "--criterion: must have at most 500 items."],
  ['create Title --assignee ""', "--assignee: must not be empty."],
])("forge %s is an error, and creates nothing", async (line, message) => {
  const cli = new TicketCli();
  const { code, out, err } = await cli.run(line.trim());
  expect(code).toBe(1);
  expect(out + err).toContain(message);
  expect((await cli.run("list")).err).toContain("No tickets yet.");
});

describe("on a terminal without a title", () => {
  test("asks for the title until there is one, and for criteria until an empty line", async () => {
    const cli = new TicketCli();
    const asked: string[] = [];
    const lines = ["", "  Fix it ", "It works.", " Always. ", ""];
    expect(await cli.run("create --priority low", { with: atTerminal({ lines }, asked) })).toMatchObject({
      code: 0,
      out: "T-001\n",
    });
    expect(asked).toEqual(["Title: ", "Title: ", "  AC-1: ", "  AC-2: ", "  AC-3: "]);
    expect(await cli.json("show T-001")).toMatchObject({
      title: "Fix it",
      priority: "low",
      criteria: [{ text: "It works." }, { text: "Always." }],
    });
  });

  test("does not ask for criteria that are given", async () => {
    const asked: string[] = [];
    await new TicketCli().do("create --criterion Done.", { with: atTerminal({ lines: ["Fix it"] }, asked) });
    expect(asked).toEqual(["Title: "]);
  });

  test.each([[[]], [["Fix it"]], [["Fix it", "One."]]])(
    "creates nothing where the person leaves after %j",
    async (lines) => {
      const cli = new TicketCli();
      const { code, err } = await cli.run("create", { with: atTerminal({ lines }) });
      expect(code).toBe(1);
      expect(err).toContain("No ticket was created.");
      expect((await cli.run("list")).err).toContain("No tickets yet.");
    },
  );

  test("does not ask where JSON is wanted", async () => {
    const asked: string[] = [];
    expect(
      await new TicketCli().run("create --json", { with: atTerminal({ lines: ["Fix it", ""] }, asked) }),
    ).toMatchObject({
      code: 1,
    });
    expect(asked).toEqual([]);
  });
});
