import * as z from "zod";
import { actionsSchema } from "../../../kernel/action-schema.ts";
import type { Call } from "../../../kernel/calls/call.ts";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { greenNeedsPerson, hereHasNoCommit } from "../model/errors.ts";
import { aboutTicket, criterionView, maxCriteria, ticketId, toCriterionView } from "../model/schemas.ts";
import type { ProofServices } from "../service/proof.ts";

const ref = z.string().trim().min(1).max(200).optional();

export const forgeVerifyTicket = defineTool({
  name: "forge_verify_ticket",
  title: "Prove a ticket's criteria",
  description:
    "Call before saying that a ticket is done: runs its checks on the commit, and without the change. Only what it returns as proven counts.",
  effect: "act",
  // What was found is told in words of the repository: names of files and tests, messages.
  untrusted: "repository",
  core: true,
  deadlineMs: 60 * 60_000,
  input: z.object({
    ticketId,
    commit: ref.meta({ unadvertised: true }),
    base: ref.describe("Commit before the change (default: where work started)").meta({ unadvertised: true }),
    expect_green: z.boolean().optional().meta({ unadvertised: true }),
    here: z
      .boolean()
      .optional()
      .describe("In the project's folder as it is; proves nothing")
      .meta({ unadvertised: true }),
    timeout_s: z.number().int().min(1).max(3_600).optional().meta({ unadvertised: true }),
  }),
  output: z.object({
    ticketId,
    proven: z.boolean(),
    commit: z.string().max(64).optional(),
    passed: z.boolean().optional().describe("With `here`: every check passed"),
    base: z.string().max(64).optional(),
    criteria: z.array(criterionView).max(maxCriteria),
    ms: z.object({ tree: z.number(), head: z.number(), base: z.number() }),
    warnings: z.array(z.string().max(1_000)).max(10).optional(),
    next: actionsSchema,
  }),
  about: aboutTicket,
  async run({ proof }: ProofServices, { ticketId: given, here, ...request }, call) {
    const { commit, base, timeout_s, expect_green: expectGreen } = request;
    const deadline = timeout_s !== undefined && { deadlineMs: timeout_s * 1_000 };
    if (here) {
      if (commit !== undefined || base !== undefined || expectGreen) throw hereHasNoCommit();
      return checkHere(proof, given, call, deadline ? deadline.deadlineMs : undefined);
    }
    if ((base !== undefined || expectGreen) && !call.principal.atKeyboard) throw greenNeedsPerson();
    const verifier = await proof.verifier();
    const { ticket, verification, timing, warnings } = await verifier.verify(call, given, {
      commit,
      base,
      expectGreen,
      ...deadline,
    });
    const states = await proof.states(ticket, call.signal);
    const isProven = states.every(({ state }) => state === "proven" || state === "waived");
    const ranHere = await proof.ranHere(call);
    const next = isProven ? await (await proof.tickets()).nextSteps(ticket.id, call) : [];
    return {
      ticketId: ticket.id,
      proven: isProven,
      commit: verification.commit,
      ...(verification.base !== undefined && { base: verification.base }),
      criteria: states.map((one) => toCriterionView(one, ranHere)),
      ms: { tree: timing.treeMs, head: timing.headMs, base: timing.baseMs },
      ...(warnings.length > 0 && { warnings }),
      ...(next.length > 0 && { next }),
    };
  },
});

async function checkHere(proof: ProofServices["proof"], given: string, call: Call, deadlineMs: number | undefined) {
  const tickets = await proof.tickets();
  const ticket = await tickets.get(given, call);
  await tickets.requireVerify(call, ticket.id, "here");
  const states = await proof.states(ticket, call.signal);
  const { criteria, passed, ms } = await (await proof.quick()).run(call, ticket, states, deadlineMs);
  const ranHere = await proof.ranHere(call);
  const views = criteria.map((one) => toCriterionView(one, ranHere));
  return { ticketId: ticket.id, proven: false, passed, criteria: views, ms: { tree: 0, head: ms, base: 0 } };
}
