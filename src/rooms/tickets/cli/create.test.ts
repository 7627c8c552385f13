import { describe, expect, test } from "vitest";
import { CapturedStream, MemoryApp, run } from "../../../../test/harness/cli.ts";

/** The app of a person who types these lines, the last of them being Ctrl+D. */
function typing(...lines: string[]) {
  const app = new MemoryApp();
  const asked: string[] = [];
  app.ask = async (question) => {
    asked.push(question);
    return lines[asked.length - 1];
  };
  return { app, asked };
}

test("a title alone is a draft; the id is all that stands on stdout", async () => {
  const { app, out, err, code } = await run(["create", "Fix the login"]);
  expect({ out, err, code }).toEqual({ out: "T-002\n", err: "", code: 0 });
  expect(app.desk.deeds).toEqual([["create", { title: "Fix the login" }, undefined]]);
});

test("everything that can be said in one line", async () => {
  const { app } = await run([
    ..."create Title --description D --problem P --solution S --type bug --priority urgent --assignee me".split(" "),
    ..."--status Forged --criterion".split(" "),
    "It works.",
    ..."--criterion Always. --file src/a.ts --file create:src/b.ts --file delete:C:/c.ts --file modify:create:d --file D:e".split(
      " ",
    ),
  ]);
  expect(app.desk.deeds).toEqual([
    [
      "create",
      {
        title: "Title",
        description: "D",
        problemStatement: "P",
        solution: "S",
        type: "bug",
        priority: "urgent",
        assignee: "me",
        acceptanceCriteria: ["It works.", "Always."],
        fileChanges: [
          { path: "src/a.ts", action: "modify" },
          { path: "src/b.ts", action: "create" },
          { path: "C:/c.ts", action: "delete" },
          { path: "create:d", action: "modify" },
          { path: "D:e", action: "modify" },
        ],
      },
      "READY",
    ],
  ]);
});

test("as JSON, the ticket without the document it is kept as", async () => {
  const made = JSON.parse((await run("create Title --json")).out);
  expect(made).toMatchObject({ id: "T-002", title: "Title", status: "DRAFT" });
  expect(made).not.toHaveProperty("document");
});

test("on a terminal, what to do next is said beside the id", async () => {
  const stdout = new CapturedStream({ isTTY: true });
  const { err } = await run("create Title", { stdout });
  expect(stdout.text).toBe("T-002\n");
  expect(err).toContain("`forge show T-002`");
});

test.each([
  ["create", "`forge create` needs TITLE"],
  ["create --json", "`forge create` needs TITLE"],
  ["create T --status nowhere", "is no status of a ticket"],
  ["create T --type idea", "--type cannot be"],
  ["create two words", "is one too many"],
  ["create --title T", 'Write it like: forge create "TITLE"'],
  ["create T --file explode:src/x", "what is done to a file is create, modify or delete"],
])("forge %s is refused", async (line, message) => {
  const { app, code, out, err } = await run(line);
  expect({ code, deeds: app.desk.deeds }).toEqual({ code: 1, deeds: [] });
  expect(out + err).toContain(message);
});

describe("asked line by line", () => {
  test("for the title until there is one, and for criteria until an empty line", async () => {
    const { app, asked } = typing("", "  Fix it ", "It works.", " Always. ", "");
    expect(await run("create --priority low", { app })).toMatchObject({ code: 0, out: "T-002\n" });
    expect(asked).toHaveLength(5);
    expect(app.desk.deeds).toEqual([
      ["create", { title: "Fix it", acceptanceCriteria: ["It works.", "Always."], priority: "low" }, undefined],
    ]);
  });

  test("criteria that are given are not asked for", async () => {
    const { app, asked } = typing("Fix it");
    await run("create --criterion Done.", { app });
    expect(asked).toHaveLength(1);
  });

  test.each([[[]], [["Fix it"]], [["Fix it", "One."]]])("who leaves after %j has written nothing", async (lines) => {
    const { app } = typing(...lines);
    const { code, err } = await run("create", { app });
    expect({ code, deeds: app.desk.deeds }).toEqual({ code: 1, deeds: [] });
    expect(err).toContain("No ticket was written.");
  });

  test("a script that wants JSON is never asked", async () => {
    const { app, asked } = typing("Fix it", "");
    expect(await run("create --json", { app })).toMatchObject({ code: 1 });
    expect(asked).toEqual([]);
  });
});
