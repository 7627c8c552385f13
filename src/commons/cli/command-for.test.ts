import { expect, test } from "vitest";
import * as z from "zod";
import { MemoryApp, run } from "../../../test/harness/cli.ts";
import { ForgeError } from "../../kernel/errors.ts";
import { commandFromTool } from "./command-for.ts";

const input = z.strictObject({
  ticketId: z.string().max(64).describe("The ticket, like T-001"),
  status: z.enum(["READY", "DRAFT"]).describe("What it becomes."),
  due_in: z.int().min(1).optional().describe("Days"),
  weight: z.number().max(10).optional(),
  urgent: z.boolean().optional().describe("Whether it cannot wait"),
  labels: z.array(z.string().max(20)).max(5).optional().describe("Labels"),
  nested: z.object({ a: z.string() }).optional(),
});

function appWith(): MemoryApp {
  const app = new MemoryApp();
  app.schemas = {
    set_status: { description: "Moves a ticket on.\nNever twice.", inputSchema: z.toJSONSchema(input) },
  };
  app.answer = (_name, given) => ({ given, done: "yes\x1b[2J" });
  return app;
}

const move = commandFromTool("move", "set_status", {
  summary: "Move a ticket on",
  examples: [["forge move T-001 READY", "Make it ready."]],
  settings: [],
  group: "more",
  print: (result) => `moved: ${JSON.stringify(result)}`,
});

const moved = (line: string, app = appWith()) => run(line, { app, commands: [move] });

test.each([
  ["move T-1 READY", { ticketId: "T-1", status: "READY" }],
  ["move --ticket-id T-1 --status READY", { ticketId: "T-1", status: "READY" }],
  ["move --ticket-id T-1 READY", { ticketId: "T-1", status: "READY" }],
  ["move READY --ticket-id=T-1", { ticketId: "T-1", status: "READY" }],
  ["--due-in 3 move T-1 READY", { ticketId: "T-1", status: "READY", due_in: 3 }],
  ["move T-1 READY --weight 0.5 --urgent", { ticketId: "T-1", status: "READY", weight: 0.5, urgent: true }],
  ["move T-1 READY --urgent=false", { ticketId: "T-1", status: "READY", urgent: false }],
  ["move T-1 READY --labels a --labels b,c", { ticketId: "T-1", status: "READY", labels: ["a", "b,c"] }],
])("forge %s calls the tool with what it takes", async (line, expected) => {
  const { app, code, err } = await moved(line);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(app.calls).toEqual([["callTool", "set_status", expected]]);
  expect(input.safeParse(expected).success).toBe(true);
});

test.each([
  ["move", "`forge move` needs TICKET-ID: The ticket, like T-001."],
  ["move T-1", "`forge move` needs STATUS"],
  ["move T-1 REDY", 'status cannot be "REDY"; it is READY or DRAFT.'],
  ["move T-1 --status REDY", '--status cannot be "REDY"'],
  ["move T-1 READY --due-in 0", '--due-in cannot be "0"; it is a whole number of at least 1.'],
  ["move T-1 READY --weight 11", '--weight cannot be "11"; it is a number of at most 10.'],
  ["move T-1 READY more", "takes 2 arguments"],
  ["move --ticket-id T-1 READY more", "takes one argument"],
  ["move T-1 READY --nested x", 'Unknown option "--nested"'],
])("forge %s is refused before the tool is called", async (line, message) => {
  const { app, code, err } = await moved(line);
  expect(code).toBe(1);
  expect(err).toContain(message);
  expect(app.calls).toEqual([]);
});

test("the printing is its own, and --json is the tool's result", async () => {
  expect((await moved("move T-1 READY")).out).toBe(
    'moved: {"given":{"ticketId":"T-1","status":"READY"},"done":"yes\\u001b[2J"}\n',
  );
  expect(JSON.parse((await moved("move T-1 READY --json")).out)).toMatchObject({ done: "yes\x1b[2J" });
});

test("help comes from the tool", async () => {
  const { out } = await moved("move --help");
  expect(out).toContain("Usage: forge move TICKET-ID STATUS");
  expect(out).toContain("Moves a ticket on. Never twice.");
  expect(out).toContain("One of: READY, DRAFT.");
  expect(out).toContain("Labels. May be given several times.");
});

test("a tool's error is the command's", async () => {
  const app = appWith();
  app.answer = () => {
    throw new ForgeError("CONFLICT_ERROR", "Someone was faster.");
  };
  expect(await moved("move T-1 READY", app)).toMatchObject({ code: 1, err: "error: Someone was faster.\n" });
});
