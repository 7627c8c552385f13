import { describe, expect, test } from "vitest";
import { MemoryApp, run } from "../../../../test/harness/cli.ts";
import { memoryTicket } from "../../../../test/harness/memory-desk.ts";

const questions = [
  { id: "Q-1", question: "For guests?", answer: "No." },
  { id: "Q-2", question: "Which\x1b[2J\ncookie?" },
  { id: "Q-3", question: "For how long?", blocking: true },
];

function appWith(...lines: (string | undefined)[]) {
  const app = new MemoryApp();
  app.desk.tickets = [memoryTicket({ questions })];
  const asked: string[] = [];
  if (lines.length > 0)
    app.ask = async (question) => {
      asked.push(question);
      return lines[asked.length - 1];
    };
  return { app, asked };
}

describe("the list", () => {
  test("has those that block first, then the open ones, and no words on a pipe", async () => {
    const { out, err } = await run("questions T-001", appWith());
    expect(out).toBe(
      "  Q-3  For how long?  open, BLOCKING\n  Q-2  Which\\x1b[2J  open\n       cookie?\n  Q-1  For guests?\n       → No.\n",
    );
    expect(err).toBe("");
  });

  test("on a terminal it says how they are answered", async () => {
    const { app, asked } = appWith("never asked");
    expect((await run("questions T-001", { app })).err).toContain("`forge questions T-001 -i`");
    expect(asked).toEqual([]);
  });

  test("of none", async () => {
    const { app } = appWith();
    app.desk.tickets = [memoryTicket({ questions: [] })];
    expect((await run("questions T-001", { app })).out).toBe("T-001 has no questions.\n");
  });

  test("as JSON", async () => {
    const { out } = await run("questions T-001 --json", appWith());
    expect(JSON.parse(out)).toEqual({ id: "T-001", status: "READY", questions });
  });
});

describe("asking and answering", () => {
  test("several questions, all blocking and of one kind", async () => {
    const { app } = await run("questions T-001 --ask First? --ask Second? --blocking --category risk");
    expect(app.desk.deeds).toEqual([
      [
        "addQuestions",
        "T-001",
        [
          { question: "First?", blocking: true, category: "risk" },
          { question: "Second?", blocking: true, category: "risk" },
        ],
      ],
    ]);
  });

  test("several answers; what follows the first = is the text", async () => {
    const { app, out } = await run(["questions", "T-001", "--answer", "Q-2= a=b ", "--answer=Q-3=A day."], appWith());
    expect(app.desk.deeds).toEqual([["answer", "T-001", { "Q-2": "a=b", "Q-3": "A day." }]]);
    expect(out).not.toContain("open");
  });

  test.each([
    ["questions T-001 --answer yes", "a question's id and a text"],
    ["questions T-001 --answer =yes", "a question's id and a text"],
    ["questions T-001 --answer Q-2=", "a question's id and a text"],
    ["questions T-001 --answer Q-2=a --answer Q-2=b", "Q-2 is answered twice"],
    ["questions T-001 --blocking", "none is asked"],
    ["questions T-001 --category risk", "none is asked"],
    ["questions T-001 --ask x --category other", "--category cannot be"],
    ["questions T-001 -i", "no terminal to ask on"],
  ])("forge %s is refused, and nothing is done", async (line, message) => {
    const { app, code, err } = await run(line, appWith());
    expect({ code, deeds: app.desk.deeds }).toEqual({ code: 1, deeds: [] });
    expect(err).toContain(message);
  });
});

describe("one by one", () => {
  test("the blocking ones first; nothing typed leaves one open", async () => {
    const { app } = appWith("A day.", " ");
    const { err, out } = await run("questions T-001 -i", { app });
    expect(app.desk.deeds).toEqual([
      ["get", "T-001"],
      ["answer", "T-001", { "Q-3": "A day." }],
    ]);
    expect(err).toBe("  Q-3  For how long?  open, BLOCKING\n  Q-2  Which\\x1b[2J  open\n       cookie?\n");
    expect(out).toContain("→ A day.");
  });

  test("who leaves keeps what was answered", async () => {
    const { app, asked } = appWith("A day.", undefined);
    expect(await run("questions T-001 --interactive", { app })).toMatchObject({ code: 0 });
    expect(asked).toHaveLength(2);
    expect(app.desk.deeds).toContainEqual(["answer", "T-001", { "Q-3": "A day." }]);
  });
});
