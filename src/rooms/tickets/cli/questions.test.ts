import { describe, expect, test } from "vitest";
import { aroundCalls, atTerminal, TicketCli } from "../../../../test/harness/rooms/tickets/ticket-cli.ts";

const questions = [
  { id: "Q-1", question: "For guests?", answer: "No." },
  { id: "Q-2", question: "Which\x1b[2J\ncookie?" },
  { id: "Q-3", question: "For how long?", blocking: true },
];

async function withQuestions(): Promise<TicketCli> {
  const cli = new TicketCli();
  await cli.add({ questions });
  return cli;
}

const answersOf = async (cli: TicketCli) =>
  ((await cli.json("questions T-001"))["questions"] as { id: string; answer?: string }[]).map(
    ({ id, answer }) => `${id} ${answer ?? "-"}`,
  );

describe("the list", () => {
  test("has blocking questions first, then open ones, and no hints on a pipe", async () => {
    const cli = await withQuestions();
    const { out, err } = await cli.run("questions T-001");
    expect(out).toBe(
      "  Q-3  For how long?  open, BLOCKING\n  Q-2  Which\\x1b[2J  open\n       cookie?\n  Q-1  For guests?\n       → No.\n",
    );
    expect(err).toBe("");
  });

  test("on a terminal says how to answer them", async () => {
    const asked: string[] = [];
    const cli = await withQuestions();
    const { err } = await cli.run("questions T-001", { with: atTerminal({ lines: ["never asked"] }, asked) });
    expect(err).toBe("Run `forge questions T-001 -i` to answer the open ones.\n");
    expect(asked).toEqual([]);
  });

  test("of a ticket without questions", async () => {
    const cli = new TicketCli();
    await cli.add();
    expect(await cli.do("questions T-001")).toBe("T-001 has no questions.");
  });

  test("as JSON", async () => {
    const cli = await withQuestions();
    expect(await cli.json("questions T-001")).toEqual({ id: "T-001", status: "READY", questions });
  });
});

describe("asking and answering", () => {
  test("several questions, all blocking and of one category", async () => {
    const cli = new TicketCli();
    await cli.add();
    const asked = await cli.json("questions T-001 --ask First? --ask Second? --blocking --category risk");
    expect(asked["questions"]).toMatchObject([
      { id: "Q-1", question: "First?", blocking: true, category: "risk" },
      { id: "Q-2", question: "Second?", blocking: true, category: "risk" },
    ]);
  });

  test("several answers; the text is what follows the first =", async () => {
    const cli = await withQuestions();
    const out = await cli.do(["questions", "T-001", "--answer", "q-2= a=b ", "--answer=Q-3=A day."]);
    expect(out).not.toContain("open");
    expect(await answersOf(cli)).toEqual(["Q-1 No.", "Q-2 a=b", "Q-3 A day."]);
  });

  test("answers before it asks, and is one entry in the ledger", async () => {
    const cli = await withQuestions();
    const bad = await cli.run(["questions", "T-001", "--ask", "Another?", "--answer", "Q-4=Yes."]);
    expect(bad.err).toContain("T-001 has no question Q-4.\n  Its questions are Q-1, Q-2, Q-3.");
    expect(await answersOf(cli)).toHaveLength(3);
    await cli.do(["questions", "T-001", "--ask", "Another?", "--answer", "Q-2=Yes."]);
    const entries = JSON.parse(await cli.do("log --json --limit 2")) as { name: string; outcome: string }[];
    expect(entries.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
      "forge questions ok",
      "forge questions ok",
    ]);
    expect(await cli.json("show T-001 --history")).toMatchObject({
      history: [{ kind: "imported" }, { kind: "answers" }, { kind: "questions" }],
    });
  });

  test.each([
    ["questions T-001 --answer yes", 'An answer cannot be "yes".'],
    ["questions T-001 --answer =yes", 'An answer cannot be "=yes".'],
    ["questions T-001 --answer Q-2=", 'An answer cannot be "Q-2=".'],
    ["questions T-001 --answer Q-2=a --answer Q-2=b", "Q-2 is answered twice"],
    ["questions T-001 --ask ?", "--ask: must have at least 3 characters."],
    ["questions T-001 --blocking", "none is asked"],
    ["questions T-001 --category risk", "none is asked"],
    ["questions T-001 --ask x --category other", "--category cannot be"],
    ["questions T-001 -i", "There is no terminal to ask on."],
  ])("forge %s is an error, and changes nothing", async (line, message) => {
    const cli = await withQuestions();
    const { code, err } = await cli.run(line);
    expect(code).toBe(1);
    expect(err).toContain(message);
    expect(await cli.json("show T-001")).toMatchObject({ revision: 1 });
  });
});

describe("one by one", () => {
  test("blocking ones first; an empty line skips one", async () => {
    const cli = await withQuestions();
    const asked: string[] = [];
    const lines = ["A day.", " "];
    const { err, out } = await cli.run("questions T-001 -i", { with: atTerminal({ lines }, asked) });
    expect(asked).toEqual(["Answer (empty to skip): ", "Answer (empty to skip): "]);
    expect(err).toBe("  Q-3  For how long?  open, BLOCKING\n  Q-2  Which\\x1b[2J  open\n       cookie?\n");
    expect(out).toContain("→ A day.");
    expect(await answersOf(cli)).toEqual(["Q-1 No.", "Q-2 -", "Q-3 A day."]);
  });

  test("answers are kept where the person leaves", async () => {
    const cli = await withQuestions();
    const person = atTerminal({ lines: ["A day.", undefined] });
    expect(await cli.run("questions T-001 --interactive", { with: person })).toMatchObject({ code: 0 });
    expect(await answersOf(cli)).toContain("Q-3 A day.");
  });

  test("after what is asked and answered on the command line", async () => {
    const cli = await withQuestions();
    const calls: string[] = [];
    const person = atTerminal({ lines: ["Yes.", "No.", "Now."] });
    const spy = aroundCalls((name, _input, call) => {
      calls.push(name);
      return call();
    });
    const both: typeof person = (app) => ({ ...person(app), ...spy(app) });
    await cli.do(["questions", "T-001", "-i", "--ask", "And then?"], { with: both });
    expect(calls).toEqual(["update_questions", "update_questions", "update_questions", "update_questions"]);
    expect(await answersOf(cli)).toEqual(["Q-1 No.", "Q-2 No.", "Q-3 Yes.", "Q-4 Now."]);
  });
});
