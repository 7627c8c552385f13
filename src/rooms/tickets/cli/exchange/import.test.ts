import { describe, expect, test } from "vitest";
import { CapturedStream, MemoryApp, run } from "../../../../../test/harness/cli.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { ImportRequest } from "../desk.ts";

/** An app whose files hold these texts, and a desk that takes in whatever JSON array it is given. */
function appWith(inputs: Record<string, string>) {
  const app = new MemoryApp();
  app.inputs = inputs;
  const requests: ImportRequest[] = [];
  app.desk.import = async (request) => {
    requests.push(request);
    const given: unknown = JSON.parse(request.text);
    const tickets: { id: string }[] = Array.isArray(given) ? given : [given];
    return { outcomes: tickets.map(({ id }) => ({ id, outcome: "added" as const })), warnings: app.desk.warnings };
  };
  return { app, requests };
}

const kilobyte = "x".repeat(1000);

function manyTickets(count: number): string {
  return JSON.stringify(Array.from({ length: count }, (_, index) => ({ id: `T-${index + 1}`, title: kilobyte })));
}

describe("what the desk is asked", () => {
  test("one request a file, in order", async () => {
    const { app, requests } = appWith({ "a.json": '{"id":"A"}', "b.txt": '{"id":"B"}' });
    const { out, code } = await run("import a.json b.txt --format json --on-existing new-id", { app });
    expect(code).toBe(0);
    expect(requests).toEqual([
      { text: '{"id":"A"}', source: "a.json", format: "json", onExisting: "new-id" },
      { text: '{"id":"B"}', source: "b.txt", format: "json", onExisting: "new-id" },
    ]);
    expect(out).toBe("A  added\nB  added\n2 tickets: 2 added.\n");
  });

  test("standard input has no name to tell the format from, and refusing is what is done with doubles", async () => {
    const { app, requests } = appWith({ "-": '{"id":"A"}' });
    await run("import -", { app });
    expect(requests).toEqual([
      { text: '{"id":"A"}', source: "standard input", format: undefined, onExisting: "refuse" },
    ]);
  });

  test.each([
    ["import", "needs FILE"],
    ["import - -", "only once"],
    ["import a --format yaml", "--format cannot be"],
    ["import a --on-existing overwrite", "--on-existing cannot be"],
  ])("forge %s is refused", async (line, message) => {
    const { app, requests } = appWith({ a: "{}" });
    const { code, err } = await run(line, { app });
    expect({ code, requests }).toEqual({ code: 1, requests: [] });
    expect(err).toContain(message);
  });
});

describe("a long JSON array", () => {
  test("goes in parts of whole tickets, none of them long and none left out", async () => {
    const text = `\uFEFF ${manyTickets(1000)}`;
    const { app, requests } = appWith({ "big.json": text });
    const { out } = await run("import big.json", { app });
    expect(requests.length).toBeGreaterThan(2);
    expect(Math.max(...requests.map(({ text }) => text.length))).toBeLessThan(410_000);
    expect(requests.every(({ format }) => format === "json")).toBe(true);
    expect(requests.flatMap(({ text }) => JSON.parse(text))).toEqual(JSON.parse(manyTickets(1000)));
    expect(out).toBe("1000 tickets: 1000 added.\n");
  });

  test("a ticket that is long by itself has a part of its own", async () => {
    const tickets = [{ id: "A" }, { id: "B", title: "x".repeat(500_000) }, { id: "C" }];
    const { app, requests } = appWith({ "big.json": JSON.stringify(tickets) });
    await run("import big.json", { app });
    expect(requests.map(({ text }) => JSON.parse(text).length)).toEqual([1, 1, 1]);
  });

  test.each([
    ["broken JSON", `${manyTickets(1000)},`, ""],
    ["one ticket", JSON.stringify({ title: "x".repeat(500_000) }), ""],
    ["another format", `[ ] ${"x".repeat(500_000)}`, "--format markdown"],
  ])("%s goes to the desk as it is, which says what is wrong", async (_, text, options) => {
    const app = new MemoryApp();
    app.inputs = { big: text };
    await run(`import big ${options}`, { app });
    expect(app.desk.deeds).toMatchObject([["import", { text }]]);
  });

  test("shows on a terminal how far it is", async () => {
    const { app } = appWith({ "big.json": manyTickets(1000) });
    const stderr = new CapturedStream({ isTTY: true });
    await run("import big.json", { app, stderr });
    expect(stderr.text).toMatch(/\[=+ +\] \d\d% big\.json/);
    expect(stderr.text.endsWith("\r\x1b[K")).toBe(true);
  });

  test("stops between parts on Ctrl+C, and says what is in", async () => {
    const stop = new AbortController();
    const { app, requests } = appWith({ "big.json": manyTickets(1000) });
    const { import: take } = app.desk;
    app.desk.import = async (request) => {
      stop.abort();
      return take(request);
    };
    const { code, err } = await run("import big.json", { app, signal: stop.signal });
    expect({ code, requests: requests.length }).toEqual({ code: 1, requests: 1 });
    expect(err).toMatch(/The import of big\.json was stopped\.\n {2}Taken in before, and kept: \d+ tickets/);
  });
});

describe("an error", () => {
  function failingAt(place: number, error: Error, files: Record<string, string>) {
    const { app, requests } = appWith(files);
    const { import: take } = app.desk;
    app.desk.import = async (request) => {
      if (requests.length === place) throw error;
      return take(request);
    };
    return app;
  }

  const wrong = new ForgeError("VALIDATION_ERROR", "ticket 3 has no title.", {
    details: { field: "title" },
    next: ["Give it one."],
  });

  test("names the file, and what was taken in before it", async () => {
    const files = { "a.json": '[{"id":"A"},{"id":"B"}]', "b.json": "[]" };
    const { code, out, err } = await run("import a.json b.json", { app: failingAt(1, wrong, files) });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toBe(
      [
        "error: b.json: ticket 3 has no title.",
        "  Taken in before, and kept: 2 tickets: 2 added.",
        "  To import the same again, give --on-existing skip; tickets without an id would be added twice.",
        "  Give it one.",
        "",
      ].join("\n"),
    );
  });

  test("names the part of a long file, what is not in, and what is", async () => {
    const { err } = await run("import big.json", { app: failingAt(1, wrong, { "big.json": manyTickets(1000) }) });
    expect(err).toMatch(/error: big\.json \(tickets (\d+) to (\d+)\): ticket 3 has no title\./);
    const [, first, last] = /tickets (\d+) to (\d+)/.exec(err) ?? [];
    const before = Number(first) - 1;
    expect(err.split("\n").slice(1, 3)).toEqual([
      `  Taken in before, and kept: ${before} tickets: ${before} added. Not taken in: tickets ${first} to ${last}, and those after.`,
      "  To import the same again, give --on-existing skip; tickets without an id would be added twice.",
    ]);
  });

  test("is for a script too", async () => {
    const app = failingAt(1, wrong, { "a.json": '{"id":"A"}', "b.json": "{}" });
    expect(JSON.parse((await run("import a.json b.json --json", { app })).out)).toMatchObject({
      code: "VALIDATION_ERROR",
      details: { field: "title", file: "b.json", imported: 1 },
    });
  });

  test("of our own making says what was taken in, too", async () => {
    const app = failingAt(1, new Error("oops"), { "a.json": '{"id":"A"}', "b.json": "{}" });
    const { code, err } = await run("import a.json b.json", { app });
    expect(code).toBe(2);
    expect(err).toContain("kept: 1 ticket: 1 added.");
  });

  test("a file that is not there is one", async () => {
    const { app } = appWith({});
    app.readInput = async () => {
      throw new ForgeError("NOT_FOUND", "There is no file gone.json.");
    };
    expect((await run("import gone.json", { app })).err).toBe("error: There is no file gone.json.\n");
  });
});

test("what the format could not say is on stderr, safe to show", async () => {
  const { app } = appWith({ "a.json": '{"id":"A\\u001b[2J"}' });
  app.desk.warnings = ["no \x1b[2J title"];
  const { out, err } = await run("import a.json", { app });
  expect(out).toBe("A\\x1b[2J  added\n1 ticket: 1 added.\n");
  expect(err).toBe("warning: no \\x1b[2J title\n");
  expect(JSON.parse((await run("import a.json --json", { app })).out)).toEqual({
    outcomes: [{ id: "A\x1b[2J", outcome: "added" }],
    warnings: app.desk.warnings,
  });
});

test("help says how to run a broken-off import again", async () => {
  const { out } = await run("import --help");
  expect(out.replace(/\s+/g, " ")).toContain(
    "Running it again then needs --on-existing skip; tickets without an id would be added again.",
  );
});

test("ids that changed say what they were", async () => {
  const app = new MemoryApp();
  app.desk.outcomes = [
    { id: "T-002", outcome: "added", was: "T-001" },
    { id: "T-003", outcome: "skipped" },
  ];
  expect((await run("import a.json", { app })).out).toBe(
    "T-002  added    T-001\nT-003  skipped\n2 tickets: 1 added, 1 skipped.\n",
  );
});
