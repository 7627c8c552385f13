import { describe, expect, test } from "vitest";
import { CapturedStream } from "../../../../../test/harness/cli/cli.ts";
import { aroundCalls, TicketCli } from "../../../../../test/harness/rooms/tickets/ticket-cli.ts";

async function twoTickets(): Promise<TicketCli> {
  const cli = new TicketCli();
  await cli.add({ slug: "keep-people-signed-in" });
  await cli.add({ title: "../../etc/passwd", status: "ARCHIVED" });
  return cli;
}

const hostile = { title: "a\u202eb", description: "# a\x1b[2J\x1b[31mb 👩\u200d💻" };

describe("to stdout", () => {
  test("JSON by default, or the format that is given", async () => {
    const cli = await twoTickets();
    expect(JSON.parse(await cli.do("export T-001"))).toMatchObject({ id: "T-001", title: "Keep people signed in" });
    expect(await cli.do("export t-1 --format xml")).toContain("<title>Keep people signed in</title>");
    expect(await cli.do("ticket export T-001 --format markdown")).toContain("# Keep people signed in\n");
  });

  test("several as one array that import reads", async () => {
    const cli = await twoTickets();
    const ids = [{ id: "T-001" }, { id: "T-002" }];
    expect(JSON.parse(await cli.do("export T-001 T-002"))).toMatchObject(ids);
    expect(JSON.parse(await cli.do("export --all"))).toMatchObject([...ids].reverse());
    expect(JSON.parse(await cli.do("export --all --json"))).toMatchObject([...ids].reverse());
    const file = cli.file("all.json", await cli.do("export --all"));
    expect(await cli.json(["import", file, "--on-existing", "replace"])).toMatchObject({
      outcomes: [{ outcome: "unchanged" }, { outcome: "unchanged" }],
    });
  });

  test("all of one as an array too, and of none an empty one", async () => {
    const cli = new TicketCli();
    expect(await cli.do("export --all")).toBe("[]");
    await cli.add();
    expect(JSON.parse(await cli.do("export --all"))).toHaveLength(1);
  });

  test("every page is read", async () => {
    const cli = new TicketCli();
    const many = Array.from({ length: 201 }, (_, index) => ({ title: `Ticket ${index}` }));
    await cli.do(["import", cli.file("many.json", JSON.stringify(many))]);
    const cursors: unknown[] = [];
    const spy = aroundCalls((name, input, call) => {
      if (name === "list_tickets") cursors.push(input["cursor"]);
      return call();
    });
    expect(JSON.parse(await cli.do("export --all", { with: spy }))).toHaveLength(201);
    expect(cursors).toEqual([undefined, expect.any(String)]);
  });

  test.each(["xml", "markdown"])("on a pipe %s is exact, whatever it contains", async (format) => {
    const cli = new TicketCli();
    await cli.add({ description: hostile.description });
    const line = `export T-001 --format ${format}`;
    const { out, err } = await cli.run(line);
    expect(err).toBe("");
    expect(out).toContain("👩\u200d💻");
    expect((await cli.run(line, { env: { FORCE_COLOR: "1" } })).out).toBe(out);
    const file = cli.file(`again.${format}`, out);
    expect(await cli.json(["import", file, "--format", format, "--on-existing", "replace"])).toMatchObject({
      outcomes: [{ id: "T-001", outcome: "unchanged" }],
    });
  });

  test("JSON stays the same JSON; other formats say where a terminal has a character escaped", async () => {
    const cli = new TicketCli();
    await cli.add(hostile);
    const json = await cli.run("export T-001");
    expect(json.out).toContain("a\\u202eb");
    expect(JSON.parse(json.out)).toMatchObject(hostile);
    const stdout = new CapturedStream({ isTTY: true, columns: 0 });
    const { err } = await cli.run("export T-001 --format markdown", { stdout });
    expect(stdout.text).not.toContain("\x1b");
    expect(err).toBe("Control characters are escaped on a terminal; --output writes them unchanged.\n");
    const wrapped = await cli.json("export T-001 --format markdown");
    expect(wrapped).toEqual({ format: "markdown", text: (await cli.run("export T-001 --format markdown")).out });
  });
});

test.each(["json", "xml", "markdown"])("a ticket as %s is imported as the same ticket", async (format) => {
  const cli = new TicketCli();
  const options = ["--solution", "</ticket> ]]> --> ## Scope", "--file", "create:a.ts", "--status", "ready"];
  await cli.do(["create", "Add logout", "--criterion", "One", "--criterion", "Two", ...options]);
  await cli.do(["questions", "T-001", "--ask", "Which one?", "--blocking"]);
  await cli.do(["questions", "T-001", "--answer", "Q-1=This one"]);
  const file = cli.path(`ticket.${format}`);
  await cli.do(["export", "T-001", "--format", format, "--output", file]);
  const again = ["import", file, "--format", format];
  expect(await cli.json([...again, "--on-existing", "replace"])).toEqual({
    outcomes: [{ id: "T-001", outcome: "unchanged" }],
    warnings: [],
  });
  await cli.do([...again, "--on-existing", "new-id"]);
  const [before, copy] = [await cli.json("show T-001"), await cli.json("show T-002")];
  for (const field of ["title", "status", "criteria", "solution", "fileChanges", "questions", "reviewSession"])
    expect(copy[field], field).toEqual(before[field]);
});

describe("to files", () => {
  test.each([
    ["out.json", "{"],
    ["out.XML", "<?xml"],
    ["out.md", "---"],
    ["out", "{"],
  ])("the name %s gives the format", async (name, start) => {
    const cli = await twoTickets();
    expect(await cli.do(["export", "T-001", "-o", cli.path(name)])).toBe(`Wrote ${cli.path(name)}`);
    expect(cli.read(name).startsWith(start)).toBe(true);
    expect(cli.read(name).endsWith("\n")).toBe(true);
  });

  test("--format wins over the name", async () => {
    const cli = await twoTickets();
    await cli.do(["export", "T-001", "-o", cli.path("out.txt"), "--format", "xml"]);
    expect(cli.read("out.txt")).toContain("<?xml");
  });

  test("several go into a folder, one file each, whatever their titles are", async () => {
    const cli = await twoTickets();
    const out = await cli.do(["export", "t-001", "T-001", "T-002", "-o", cli.path("some/folder"), "--format", "xml"]);
    expect(cli.filesIn("some/folder")).toEqual(["T-001-keep-people-signed-in.xml", "T-002-etc-passwd.xml"]);
    expect(out.split("\n")).toHaveLength(2);
  });

  test("one goes into a folder where the name ends in /", async () => {
    const cli = await twoTickets();
    await cli.do(["export", "T-001", "-o", `${cli.path("folder")}/`, "--format", "markdown"]);
    expect(cli.filesIn("folder")).toEqual(["T-001-keep-people-signed-in.md"]);
  });

  test("several go into one .json file", async () => {
    const cli = await twoTickets();
    const file = cli.path("all.json");
    expect(await cli.json(["export", "--all", "-o", file])).toEqual({ format: "json", files: [file] });
    expect(JSON.parse(cli.read("all.json"))).toHaveLength(2);
  });

  test("an existing file stays, unless --force is given", async () => {
    const cli = await twoTickets();
    const file = cli.file("out.json", "precious");
    expect(await cli.run(["export", "T-001", "-o", file])).toMatchObject({
      code: 1,
      out: "",
      err: `error: ${file} already exists.\n  Give another name, or --force to replace it.\n`,
    });
    expect(cli.read("out.json")).toBe("precious");
    await cli.do(["export", "T-001", "-o", file, "--force"]);
    expect(cli.read("out.json")).toContain("T-001");
  });
});

test.each([
  ["export", "Give one or more ids, or --all."],
  ["export T-001 --all", "contradict each other"],
  ["export --all --format xml", "need one file each"],
  ["export T-001 T-002 --format markdown", "need one file each"],
  ["export T-001 T-002 -o all.xml", "need one file each"],
  ["export T-001 --format yaml", "--format cannot be"],
  ["export T-009", "Ticket T-009 not found."],
])("forge %s is an error", async (line, message) => {
  const { code, out, err } = await (await twoTickets()).run(line);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain(message);
});

test("stops on Ctrl+C and writes nothing", async () => {
  const cli = await twoTickets();
  const stop = new AbortController();
  const spy = aroundCalls(async (_name, _input, call) => {
    stop.abort();
    return call();
  });
  const { code, err } = await cli.run(["export", "--all", "-o", cli.path("folder")], {
    with: spy,
    signal: stop.signal,
  });
  expect(code).toBe(1);
  expect(err).toMatch(/The export was stopped|cancelled/);
  expect(() => cli.filesIn("folder")).toThrow();
});
