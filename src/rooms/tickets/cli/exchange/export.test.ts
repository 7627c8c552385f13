import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CapturedStream, MemoryApp, run } from "../../../../../test/harness/cli.ts";
import { memoryTicket } from "../../../../../test/harness/memory-desk.ts";
import { fileNameOf } from "./export-names.ts";

function twoTickets(): MemoryApp {
  const app = new MemoryApp();
  app.desk.tickets = [memoryTicket(), memoryTicket({ id: "T-002", slug: "../../etc/passwd" })];
  app.desk.export = async (id, format) => (format === "json" ? `{ "id": "${id}" }\n` : `<${id}>\n`);
  return app;
}

describe("to stdout", () => {
  test.each([
    ["export T-001", "json"],
    ["export T-001 --format xml", "xml"],
    ["export T-001 --format markdown", "markdown"],
  ])("forge %s", async (line, format) => {
    const app = new MemoryApp();
    app.desk.text = "the text\n";
    expect(await run(line, { app })).toMatchObject({ out: "the text\n", err: "", code: 0 });
    expect(app.desk.deeds).toContainEqual(["export", "T-001", format]);
  });

  test("several are one array that import reads", async () => {
    const ids = [{ id: "T-001" }, { id: "T-002" }];
    expect(JSON.parse((await run("export T-001 T-002", { app: twoTickets() })).out)).toEqual(ids);
    expect(JSON.parse((await run("export --all", { app: twoTickets() })).out)).toEqual(ids);
    expect(JSON.parse((await run("export --all --json", { app: twoTickets() })).out)).toEqual(ids);
  });

  test("all of one is an array too, and of none an empty one", async () => {
    const app = twoTickets();
    app.desk.tickets = [memoryTicket()];
    expect(JSON.parse((await run("export --all", { app })).out)).toEqual([{ id: "T-001" }]);
    app.desk.tickets = [];
    expect((await run("export --all", { app })).out).toBe("[]\n");
  });

  test("every page is read, archived tickets included", async () => {
    const app = twoTickets();
    const asked: unknown[] = [];
    const pages = [{ tickets: [memoryTicket()], nextCursor: "2" }, { tickets: [memoryTicket({ id: "T-002" })] }];
    app.desk.list = async (filter) => {
      asked.push(filter.cursor);
      expect(filter.status).toContain("ARCHIVED");
      return pages[asked.length - 1] ?? { tickets: [] };
    };
    expect(JSON.parse((await run("export --all", { app })).out)).toHaveLength(2);
    expect(asked).toEqual([undefined, "2"]);
  });

  test.each(["xml", "markdown"])("on a pipe %s is exact, whatever is in it", async (format) => {
    const app = new MemoryApp();
    app.desk.text = "# a\x1b[2Jb\r\n\r\n👩\u200d💻 \u202e\u200b \0\x7f\n\n";
    expect(await run(`export T-001 --format ${format}`, { app })).toMatchObject({ out: app.desk.text, err: "" });
    const always = await run(`export T-001 --format ${format}`, { app, env: { FORCE_COLOR: "1" } });
    expect(always.out).toBe(app.desk.text);
  });

  test("JSON stays the same JSON; of the rest it is said where a terminal has a character escaped", async () => {
    const app = new MemoryApp();
    app.desk.text = '{ "title": "a\u202eb" }';
    const json = await run("export T-001", { app });
    expect(json).toMatchObject({ out: '{ "title": "a\\u202eb" }\n', err: "" });
    app.desk.text = "# a\x1b[2J\x1b[31mb\r\n";
    const stdout = new CapturedStream({ isTTY: true, columns: 0 });
    const { err } = await run("export T-001 --format markdown", { app, stdout });
    expect(stdout.text).toBe("# a\\x1b[2J\\x1b[31mb\\r\n");
    expect(err).toContain("--output writes them as they are");
    app.desk.text = "# a\x1b[2Jb\n";
    const wrapped = await run("export T-001 --format markdown --json", { app });
    expect(JSON.parse(wrapped.out)).toEqual({ format: "markdown", text: "# a\x1b[2Jb\n" });
  });
});

describe("to files", () => {
  test.each([
    ["out.json", "json"],
    ["out.XML", "xml"],
    ["out.md", "markdown"],
    ["out", "json"],
  ])("%s holds one ticket as %s", async (file, format) => {
    const { app, out } = await run(`export T-001 -o ${file}`);
    expect(app.desk.deeds).toContainEqual(["export", "T-001", format]);
    expect(app.written).toEqual({ [file]: "{}\n" });
    expect(out).toBe(`Written: ${file}\n`);
  });

  test("--format is stronger than the name", async () => {
    expect((await run("export T-001 -o out.txt --format xml")).app.desk.deeds).toContainEqual([
      "export",
      "T-001",
      "xml",
    ]);
  });

  test("several go into a folder, a file each, whatever their slugs say", async () => {
    const { app, out } = await run("export t-001 T-001 T-002 -o some/folder --format xml", { app: twoTickets() });
    expect(app.written).toEqual({
      "some/folder/T-001-keep-people-signed-in.xml": "<T-001>\n",
      "some/folder/T-002-etc-passwd.xml": "<T-002>\n",
    });
    expect(out.trimEnd().split("\n")).toHaveLength(2);
  });

  test("one goes into a folder where the name says so", async () => {
    const { app } = await run("export T-001 -o folder/ --format markdown", { app: twoTickets() });
    expect(Object.keys(app.written)).toEqual(["folder/T-001-keep-people-signed-in.md"]);
  });

  test("several go into one .json file", async () => {
    const { app, out } = await run("export --all -o all.json --json", { app: twoTickets() });
    expect(JSON.parse(app.written["all.json"] ?? "")).toHaveLength(2);
    expect(JSON.parse(out)).toEqual({ format: "json", files: ["all.json"] });
  });

  test("what is there stays, unless --force is given", async () => {
    const app = new MemoryApp();
    app.written = { "out.json": "precious" };
    expect(await run("export T-001 -o out.json", { app })).toMatchObject({
      code: 1,
      out: "",
      err: "error: out.json exists already.\n  Give another name, or --force to replace it.\n",
    });
    expect(app.written).toEqual({ "out.json": "precious" });
    await run("export T-001 -o out.json --force", { app });
    expect(app.written).toEqual({ "out.json": "{}\n" });
  });
});

test.each([
  ["export", "needs ID: one or more, or --all."],
  ["export T-001 --all", "contradict each other"],
  ["export --all --format xml", "need a file each"],
  ["export T-001 T-002 --format markdown", "need a file each"],
  ["export T-001 T-002 -o all.xml", "need a file each"],
  ["export T-001 --format yaml", "--format cannot be"],
  ["export T-009", "There is no ticket T-009."],
])("forge %s is refused", async (line, message) => {
  const { app, code, out, err } = await run(line);
  expect({ code, out, written: app.written }).toEqual({ code: 1, out: "", written: {} });
  expect(err).toContain(message);
});

test("a file's name is one plain name, whatever the ticket says", () => {
  const nasty = fc.string({
    unit: fc.oneof(fc.constantFrom("/", "\\", "..", ":", "\0", "\n", "CON", "-"), fc.string()),
  });
  fc.assert(
    fc.property(nasty, nasty, (id, slug) => {
      const name = fileNameOf({ id: `T-${id}`, slug }, "markdown");
      expect(name).toMatch(/^T-[A-Za-z0-9_-]*\.md$/);
      expect(name.length).toBeLessThanOrEqual(id.length + 66);
    }),
  );
});
