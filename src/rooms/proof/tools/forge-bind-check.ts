import * as z from "zod";
import { type CheckHow, isProjectPath } from "../../../commons/evidence/checks.ts";
import { compilePattern } from "../../../commons/patterns/re2.ts";
import { isProjectCommand } from "../../../commons/test-runs/project/configured-commands.ts";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import {
  figureNeedsBound,
  greenNeedsPerson,
  notAPattern,
  notAProjectCommand,
  notAProjectPath,
  notATest,
  oneKindOfCheck,
  unknownInvariant,
} from "../model/errors.ts";
import { aboutTicket, criterion, ticketId } from "../model/schemas.ts";
import type { ProofServices } from "../service/proof.ts";

const text = z.string().trim().min(1).max(1_000);

const input = z.object({
  ticketId,
  criterion,
  test: text.optional().describe("FILE::NAME of a test, as the runner prints it"),
  command: z.array(z.string().min(1).max(4_096)).min(1).max(100).optional().describe("Must exit with 0"),
  file: text.optional().describe("Path or glob that must exist"),
  pattern: text.optional().describe("RE2 to find in the file. With command and max or min: group 1 is the number"),
  max: z.number().optional(),
  min: z.number().optional(),
  invariant: text.max(300).optional().describe("Its name, or boundary:LAYER"),
  look: text.optional().describe("What a person must look at"),
  expect_green: z
    .boolean()
    .optional()
    .describe("For a regression test: passes before and after")
    .meta({ unadvertised: true }),
});

export const forgeBindCheck = defineTool({
  name: "forge_bind_check",
  title: "Bind a check to a criterion",
  description: "Bind one check to an acceptance criterion. Only a person removes checks.",
  effect: "add",
  input,
  output: z.object({ ticketId, check: z.string().max(40), criterion: z.string().max(100) }),
  about: aboutTicket,
  async run({ proof }: ProofServices, { ticketId: given, criterion: id, expect_green, ...how }, call) {
    const check = toHow(how);
    if (expect_green && !call.principal.atKeyboard) throw greenNeedsPerson();
    if ("command" in check && !isProjectCommand(proof.projectRoot, check.command))
      throw notAProjectCommand(check.command);
    if (check.type === "test") {
      const { requireTestFile } = await import("../service/require-test-file.ts");
      await requireTestFile(proof.projectRoot, check.file);
    }
    if (check.type === "file" && !isProjectPath(check.path)) throw notAProjectPath(check.path);
    if ("pattern" in check && check.pattern !== undefined && !(await compilePattern(check.pattern)))
      throw notAPattern(check.pattern);
    if (check.type === "invariant") await requireInvariant(proof, check.name);
    const tickets = await proof.tickets();
    const { id: known, records } = await tickets.get(given);
    if ("command" in check) await (await proof.consent()).requireBind(call, known, check);
    const execution = records.work?.findLast(({ status }) => status === "started")?.execution;
    const ticket = await tickets.record(call, given, {
      kind: "check",
      check: {
        criterion: id,
        how: check,
        ...(expect_green && { expectGreen: true }),
        ...(execution !== undefined && { execution }),
      },
    });
    const made = ticket.records.checks?.at(-1);
    return { ticketId: ticket.id, check: made?.id ?? "", criterion: made?.criterion ?? id };
  },
});

type Given = Omit<z.output<typeof input>, "ticketId" | "criterion" | "expect_green">;

async function requireInvariant({ rules }: ProofServices["proof"], name: string): Promise<void> {
  const known = (await (await rules())?.names()) ?? [];
  if (!known.includes(name)) throw unknownInvariant(name, known);
}

function toHow({ test, command, file, pattern, max, min, invariant, look }: Given): CheckHow {
  if ([test, command, file, invariant, look].filter((one) => one !== undefined).length !== 1) throw oneKindOfCheck();
  if (test !== undefined) return toTest(test);
  if (look !== undefined) return { type: "look", what: look };
  if (invariant !== undefined) return { type: "invariant", name: invariant };
  if (file !== undefined) return { type: "file", path: file, ...(pattern !== undefined && { pattern }) };
  const words = command ?? [];
  if (pattern === undefined && max === undefined && min === undefined) return { type: "command", command: words };
  if (pattern === undefined || (max === undefined && min === undefined)) throw figureNeedsBound();
  const bounds = { ...(max !== undefined && { max }), ...(min !== undefined && { min }) };
  return { type: "figure", command: words, pattern, ...bounds };
}

function toTest(given: string): CheckHow {
  const at = given.indexOf("::");
  const [file, name] = [given.slice(0, at), given.slice(at + 2)];
  if (at <= 0 || name.trim() === "" || file.startsWith("/") || file.split("/").includes("..")) throw notATest(given);
  return { type: "test", file: file.replace(/^\.\//, ""), name: name.trim() };
}
