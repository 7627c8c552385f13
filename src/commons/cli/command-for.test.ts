import { expect, test } from "vitest";
import * as z from "zod";
import { CapturedStream, type RunOptions, run } from "../../../test/harness/cli/cli.ts";
import { withRoom } from "../../../test/harness/rooms/fixture-room.ts";
import type { Action } from "../../kernel/action.ts";
import { defineTool } from "../../kernel/definitions/tool.ts";
import { ForgeError } from "../../kernel/errors.ts";
import { commandFor } from "./command-for.ts";

/** What the tool was called with, and what it does then. */
const calls: unknown[] = [];
let answer: () => void = () => undefined;

const setStatus = defineTool({
  name: "set_status",
  title: "Set a status",
  description: "Moves a ticket on.\nNever twice.",
  effect: "set",
  surfaces: ["cli"],
  input: z.object({
    ticketId: z.string().max(64).describe("The ticket, like T-001"),
    status: z.enum(["READY", "DRAFT"]).optional().describe("The new status."),
    due_in: z.int().min(1).optional().describe("Days"),
    weight: z.number().max(10).optional(),
    urgent: z.boolean().optional().describe("Whether it cannot wait"),
    notify: z.boolean().default(true).describe("Tell the team."),
    labels: z.array(z.string().max(20)).max(5).optional().describe("Labels"),
    owners: z
      .array(z.enum(["ada", "bob"]))
      .max(5)
      .optional(),
    options: z.object({ depth: z.int().min(0).max(9).default(3) }).optional(),
    nested: z.array(z.object({ a: z.string() })).optional(),
    old_name: z.string().max(10).optional(),
  }),
  output: z.object({
    done: z.string(),
    warnings: z.array(z.string()).optional(),
    next: z.array(z.custom<Action>()).optional(),
  }),
  async run(_services: unknown, input, call) {
    calls.push(input);
    call.report({ progress: 1, total: 2, message: "half" });
    answer();
    return { done: "yes\x1b[2J", warnings: ["Careful."], next: [{ tool: "set_status", input: { ticketId: "T-9" } }] };
  },
});

const move = commandFor<typeof setStatus>({
  tool: "set_status",
  name: "zmove",
  aliases: ["zmv"],
  summary: "Move a ticket on",
  examples: [["forge zmove T-001 --status READY", "Make it ready."]],
  settings: [],
  group: "more",
  options: {
    due_in: { flag: "due", short: "d" },
    urgent: { negatable: true },
    owners: { flag: "owner", commas: true },
    old_name: false,
  },
  own: { again: { type: "boolean", help: "Print the command for more." } },
  print(result, out, { again, options }) {
    out.print(options["again"] ? again({ labels: ["x y"] }) : `moved: ${JSON.stringify(result.done)}`);
    return 0;
  },
});

const moveReference = commandFor<typeof setStatus>({
  tool: "set_status",
  name: "zref",
  summary: "Move by reference",
  examples: [],
  settings: [],
  group: "more",
  arguments: [{ field: "ticketId/old_name", name: "ticket/name", required: true, help: "Both." }],
  options: { nested: false },
  fixed: { status: "DRAFT" },
  print: (_result, out) => out.print("moved"),
  exitCode: () => 3,
});

const roomSet = await withRoom({ tools: [setStatus], commands: [move, moveReference], services: {} });

function moved(line: string, options: RunOptions = {}) {
  calls.length = 0;
  answer = () => undefined;
  return run(line, { roomSet, ...options });
}

test.each([
  ["zmove T-1 --status READY", { ticketId: "T-1", status: "READY" }],
  ["zmove --status READY T-1", { ticketId: "T-1", status: "READY" }],
  ["zmv T-1", { ticketId: "T-1" }],
  ["--due 3 zmove T-1", { ticketId: "T-1", due_in: 3 }],
  ["zmove T-1 -d 3", { ticketId: "T-1", due_in: 3 }],
  ["zmove T-1 --weight 0.5 --urgent", { ticketId: "T-1", weight: 0.5, urgent: true }],
  ["zmove T-1 --no-urgent", { ticketId: "T-1", urgent: false }],
  ["--no-urgent zmove T-1", { ticketId: "T-1", urgent: false }],
  ["zmove T-1 --no-notify", { ticketId: "T-1", notify: false }],
  ["zmove T-1 --labels a --labels b,c", { ticketId: "T-1", labels: ["a", "b,c"] }],
  ["zmove T-1 --owner ada,bob --owner ada", { ticketId: "T-1", owners: ["ada", "bob", "ada"] }],
  ["zmove T-1 --labels=", { ticketId: "T-1", labels: [] }],
  ["zmove T-1 --depth 4", { ticketId: "T-1", options: { depth: 4 } }],
  ["zref T-1/x", { ticketId: "T-1", old_name: "x", status: "DRAFT" }],
  ["zref a/b/x", { ticketId: "a/b", old_name: "x", status: "DRAFT" }],
])("forge %s calls the tool with its input", async (line, expected) => {
  const { code, err } = await moved(line);
  expect({ code: code % 3, err }).toEqual({ code: 0, err: expect.stringContaining("Careful.") });
  expect(calls).toEqual([{ notify: true, ...expected }]);
});

test.each([
  ["zmove", "`forge zmove` needs TICKET-ID: The ticket, like T-001."],
  ["zmove T-1 --status REDY", '--status cannot be "REDY". Use READY or DRAFT.'],
  ["zmove T-1 --due 0", '--due cannot be "0"; it must be an integer of at least 1.'],
  ["zmove T-1 --weight 11", '--weight cannot be "11"; it must be a number of at most 10.'],
  ["zmove T-1 --owner ada,eve", '--owner cannot be "eve". Use ada or bob.'],
  ["zmove T-1 more", "takes one argument"],
  ["zmove T-1 --nested x", 'Unknown option "--nested"'],
  ["zmove T-1 --old-name x", 'Unknown option "--old-name"'],
  ["zref T-1", '"T-1" is not a task: write BLOCK/TASK.'],
])("forge %s is refused before the tool is called", async (line, message) => {
  const { code, err } = await moved(line);
  expect(code).toBe(1);
  expect(err).toContain(message);
  expect(calls).toEqual([]);
});

test("what the tool's schema refuses is said of the flags", async () => {
  const { code, err } = await moved(`zmove T-1 --labels ${"x".repeat(21)}`);
  expect(code).toBe(1);
  expect(err).toMatch(/^error: --labels: .*\n {2}Run `forge zmove --help` to see how it is used\.\n$/);
});

test("the printing is the command's own, and --json is the tool's result", async () => {
  expect((await moved("zmove T-1")).out).toBe('moved: "yes\\u001b[2J"\n');
  expect((await moved("zmove T-1 --json")).json()).toMatchObject({ done: "yes\x1b[2J", warnings: ["Careful."] });
  expect((await moved("zref T-1/x")).code).toBe(3);
});

test("warnings and what to do next are shown beside the data", async () => {
  const { err } = await moved("zmove T-1");
  expect(err).toBe("warning: Careful.\nRun `forge zmove T-9`.\n");
  expect((await moved("zmove T-1 --json")).err).toBe("");
});

test("the same command with other input can be typed", async () => {
  expect((await moved("zmove T-1 --status READY --no-notify --again")).out).toBe(
    "forge zmove --status=READY --no-notify --labels='x y' --again T-1\n",
  );
});

test("progress is one passing line on a terminal", async () => {
  const stderr = new CapturedStream({ isTTY: true });
  await moved("zmove T-1", { stderr });
  expect(stderr.text).toContain("[==========          ] 50% half");
});

test("help comes from the tool", async () => {
  const { out } = await moved("zmove --help");
  expect(out).toContain("Usage: forge zmove TICKET-ID");
  expect(out).toContain("Also: forge zmv");
  expect(out).toContain("Moves a ticket on. Never twice.");
  expect(out).toContain("One of: READY, DRAFT.");
  expect(out).toContain("Labels. May be given several times.");
  expect(out).toContain("--[no-]urgent");
  expect(out).toContain("Default: 3.");
});

test("a tool's error is the command's", async () => {
  calls.length = 0;
  answer = () => {
    throw new ForgeError("CONFLICT_ERROR", "Someone was faster.", { next: [{ command: "list" }] });
  };
  expect(await run("zmove T-1", { roomSet })).toMatchObject({
    code: 1,
    err: "error: Someone was faster.\n  Run `forge list`.\n",
  });
});

test("the call is in the ledger under the command's name, and assistants do not know the tool", async () => {
  const { code, err } = await run("call set_status ticketId=T-1", { roomSet });
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining("There is no tool named") });
});
