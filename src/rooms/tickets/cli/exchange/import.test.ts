import { Readable } from "node:stream";
import { describe, expect, test, vi } from "vitest";
import { CapturedStream } from "../../../../../test/harness/cli/cli.ts";
import { aroundCalls, TicketCli } from "../../../../../test/harness/rooms/tickets/ticket-cli.ts";

const kilobyte = "x".repeat(1000);

function manyTickets(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => ({ title: `Ticket ${index}`, description: kilobyte }));
}

describe("what is imported", () => {
  test("file after file, in the format that is given", async () => {
    const cli = new TicketCli();
    const [first, second] = [cli.file("a.json", '{"title":"First"}'), cli.file("b.txt", '{"title":"Second"}')];
    const { out, code } = await cli.run(["import", first, second, "--format", "json"]);
    expect(code).toBe(0);
    expect(out).toBe("T-001  added\nT-002  added\n2 tickets: 2 added.\n");
    expect(await cli.json("show T-002 --history")).toMatchObject({
      title: "Second",
      foreign: true,
      history: [{ kind: "imported", details: { source: second } }],
    });
  });

  test("JSON, XML and Markdown by the file's name or its text", async () => {
    const cli = new TicketCli();
    const files = [
      cli.file("a.json", '[{"title":"One"},{"title":"Two","status":"delivered"}]'),
      cli.file("b.md", "# Three\n\n## Description\n\nText\n"),
      cli.file("c.xml", "<ticket><title>Four</title></ticket>"),
      cli.file("d", "# Five\n"),
    ];
    await cli.do(["ticket", "import", ...files]);
    expect((await cli.do("list --all")).split("\n").map((line) => line.split("\t").slice(1, 3).join(" "))).toEqual([
      "DRAFT Five",
      "DRAFT Four",
      "DRAFT Three",
      "COMPLETE Two",
      "DRAFT One",
    ]);
  });

  test("standard input", async () => {
    const cli = new TicketCli();
    vi.spyOn(process, "stdin", "get").mockReturnValue(
      Readable.from([Buffer.from('{"title":"Piped"}')], { objectMode: false }) as typeof process.stdin,
    );
    await cli.do("import -");
    vi.restoreAllMocks();
    expect(await cli.json("show T-001 --history")).toMatchObject({
      title: "Piped",
      history: [{ details: { source: "standard input" } }],
    });
  });

  test.each([
    ["skip", "T-001  skipped\n1 ticket: 1 skipped.", "Before"],
    ["replace", "T-001  replaced\n1 ticket: 1 replaced.", "After"],
    ["new-id", "T-002  added  T-001\n1 ticket: 1 added.", "Before"],
  ])("--on-existing %s", async (how, printed, title) => {
    const cli = new TicketCli();
    await cli.add({ id: "T-001", title: "Before" });
    const file = cli.file("again.json", JSON.stringify({ id: "T-001", title: "After", status: "READY" }));
    expect(await cli.do(["import", file, "--on-existing", how])).toBe(printed);
    expect(await cli.json("show T-001")).toMatchObject({ title });
  });

  test("as JSON, outcomes and warnings", async () => {
    const cli = new TicketCli();
    const file = cli.file("a.json", '{"title":"One","priority":"ex\\u001b[2Jtreme"}');
    const { out, err } = await cli.run(["import", file]);
    expect(out).toBe("T-001  added\n1 ticket: 1 added.\n");
    expect(err).toBe('warning: priority "ex\\x1b[2Jtreme" was not understood and was ignored.\n');
    expect(await cli.json(["import", file])).toEqual({
      outcomes: [{ id: "T-002", outcome: "added" }],
      warnings: ['priority "ex\\x1b[2Jtreme" was not understood and was ignored.'],
    });
  });

  test.each([
    ["import", "needs FILE"],
    ["import - -", "only once"],
    ["import a --format yaml", "--format cannot be"],
    ["import a --on-existing overwrite", "--on-existing cannot be"],
  ])("forge %s is an error", async (line, message) => {
    const { code, err } = await new TicketCli().run(line);
    expect(code).toBe(1);
    expect(err).toContain(message);
  });
});

describe("a long JSON array", () => {
  test("is imported in parts, and shows its progress on a terminal", async () => {
    const cli = new TicketCli();
    const file = cli.file("big.json", JSON.stringify(manyTickets(1000)));
    const stderr = new CapturedStream({ isTTY: true });
    const { out } = await cli.run(["import", file], { stderr });
    expect(out).toBe("1000 tickets: 1000 added.\n");
    // The name of a file in a deep folder is cut off.
    expect(stderr.text).toMatch(/\[=+ +\] \d\d% \S+/);
    expect(stderr.text.endsWith("\r\x1b[K")).toBe(true);
    const entries = JSON.parse(await cli.do("log --json")) as { name: string }[];
    expect(entries.filter(({ name }) => name === "forge import").length).toBeGreaterThan(2);
  });

  test("stops between parts on Ctrl+C, and says what was imported", async () => {
    const cli = new TicketCli();
    const stop = new AbortController();
    let calls = 0;
    const spy = aroundCalls(async (_name, _input, call) => {
      const done = await call();
      calls++;
      stop.abort();
      return done;
    });
    const file = cli.file("big.json", JSON.stringify(manyTickets(1000)));
    const { code, err } = await cli.run(["import", file], { with: spy, signal: stop.signal });
    expect({ code, calls }).toEqual({ code: 1, calls: 1 });
    expect(err).toMatch(/The import of .*big\.json was stopped\.\n {2}Already imported, and kept: \d+ tickets/);
  });

  test("an error names the part that failed, and what was imported before it", async () => {
    const cli = new TicketCli();
    const tickets = manyTickets(1000);
    tickets[700] = { description: "no title" };
    const file = cli.file("big.json", JSON.stringify(tickets));
    const { code, out, err } = await cli.run(["import", file]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("the ticket has no title");
    const [, first = "", last = ""] = /error: .*big\.json \(tickets (\d+) to (\d+)\)/.exec(err) ?? [];
    expect(Number(first)).toBeLessThanOrEqual(701);
    expect(Number(last)).toBeGreaterThanOrEqual(701);
    const before = Number(first) - 1;
    expect(err.split("\n").slice(1, 3)).toEqual([
      `  Already imported, and kept: ${before} tickets: ${before} added. Not imported: tickets ${first} to ${last}, and all tickets after that.`,
      "  To import the same files again, use --on-existing skip; tickets without an id would be added twice.",
    ]);
  });
});

describe("an error", () => {
  async function failing(extra: string[] = []) {
    const cli = new TicketCli();
    const good = cli.file("a.json", '[{"title":"One"},{"title":"Two"}]');
    const bad = cli.file("b.json", '[{"title":"Three"},{"id":"T-9"}]');
    return { cli, bad, ran: await cli.run(["import", good, bad, ...extra]) };
  }

  test("names the file, and what was imported before it; of the file nothing is", async () => {
    const { cli, bad, ran } = await failing();
    expect({ code: ran.code, out: ran.out }).toEqual({ code: 1, out: "" });
    expect(ran.err.split("\n").slice(1, 3)).toEqual([
      "  Already imported, and kept: 2 tickets: 2 added.",
      "  To import the same files again, use --on-existing skip; tickets without an id would be added twice.",
    ]);
    expect(ran.err).toContain("the ticket has no title");
    expect(ran.err).toContain(bad.slice(0, 20));
    expect((await cli.do("list")).split("\n")).toHaveLength(2);
  });

  test("is for scripts too", async () => {
    const { bad, ran } = await failing(["--json"]);
    expect(ran.json()).toMatchObject({ code: "VALIDATION_ERROR", details: { file: bad, imported: 2 } });
  });

  test("of our own making says what was imported, too", async () => {
    const cli = new TicketCli();
    let calls = 0;
    const spy = aroundCalls((_name, _input, call) => {
      if (++calls === 2) throw new Error("oops");
      return call();
    });
    const files = [cli.file("a.json", '{"title":"One"}'), cli.file("b.json", '{"title":"Two"}')];
    const { code, err } = await cli.run(["import", ...files], { with: spy });
    expect(code).toBe(2);
    expect(err).toContain("Already imported, and kept: 1 ticket: 1 added.");
  });

  test("for a file that does not exist", async () => {
    const { code, err } = await new TicketCli().run("import gone.json");
    expect(code).toBe(1);
    expect(err).toContain("File gone.json not found.");
  });

  test("for an existing id names the choices", async () => {
    const cli = new TicketCli();
    await cli.add({ id: "T-001" });
    const { err } = await cli.run(["import", cli.file("a.json", '{"id":"T-1","title":"Again"}')]);
    expect(err).toContain("Ticket T-001 already exists. None of the tickets it came with was imported.");
    expect(err).toContain("`skip` keeps them");
  });
});

test("help says how to run an interrupted import again", async () => {
  const { out } = await new TicketCli().run("import --help");
  expect(out.replace(/\s+/g, " ")).toContain(
    "To run it again then, use --on-existing skip; tickets without an id would be added again.",
  );
});
