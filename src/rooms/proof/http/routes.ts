import * as z from "zod";
import { readCriterionStates } from "../../../commons/evidence/criterion-states.ts";
import { proofPolicies, strictest } from "../../../commons/project-file.ts";
import { defineRoute, type Route } from "../../../kernel/definitions/route.ts";
import { Redactor } from "../../../kernel/text/redactor.ts";
import { policyNeedsPerson } from "../model/errors.ts";
import { criterionView, maxCriteria, teamPolicy, ticketId, toCriterionView } from "../model/schemas.ts";
import { keyIdOf, signPayload, toPublicPem } from "../receipt/dsse.ts";
import { findAttested, keepShownOn, makeReceipt, toStatement } from "../receipt/receipt.ts";
import { type ProofRouteServices, requireTeam } from "./services.ts";

const [noParams, noQuery] = [z.object({}), z.object({})];
const maxPayload = 10_000_000;

const keysRoute = defineRoute({
  method: "GET",
  path: "/api/keys",
  summary: "The public keys that this server signs receipts with.",
  scope: "public",
  effect: "read",
  names: "none",
  params: noParams,
  query: noQuery,
  output: z.object({
    keys: z
      .array(
        z.object({ keyid: z.string().max(100), algorithm: z.literal("ed25519"), publicKey: z.string().max(1_000) }),
      )
      .max(100),
  }),
  async run({ key }: ProofRouteServices) {
    const own = await key.own();
    return { keys: [{ keyid: keyIdOf(own), algorithm: "ed25519" as const, publicKey: toPublicPem(own) }] };
  },
});

/** No check runs on a server: all that it knows was reported. */
const ranHere = () => false;

/** Knows no secrets of this server: they are in no ticket. */
const redactor = new Redactor();

const receiptRoute = defineRoute({
  method: "GET",
  path: "/api/tickets/:id/receipt",
  operation: "make_receipt",
  summary: "A receipt of a ticket: an in-toto statement in a DSSE envelope, signed with the server's key.",
  scope: "tickets:read",
  effect: "read",
  names: "ticket",
  params: z.object({ id: ticketId }),
  query: noQuery,
  output: z.object({
    payloadType: z.string().max(100),
    payload: z.string().max(maxPayload),
    signatures: z.array(z.object({ keyid: z.string().max(100), sig: z.string().max(200) })).max(1),
    publicKey: z.string().max(1_000),
  }),
  about: ({ id }) => [`ticket:${id}`],
  async run(services: ProofRouteServices, { params }) {
    const { ticket, states, ciOnly } = await readStates(services, params.id);
    const { issuer } = requireTeam(services);
    const attested = findAttested(ticket, ciOnly);
    const shown = keepShownOn(states, attested?.tree);
    const receipt = makeReceipt(ticket, shown, {
      at: new Date().toISOString(),
      ...{ attested, issuer, redactor, ranHere },
    });
    return signPayload(toStatement(receipt), await services.key.own());
  },
});

const proofRoute = defineRoute({
  method: "GET",
  path: "/api/tickets/:id/proof",
  operation: "show_proof",
  summary: "The state of each criterion of a ticket with its checks, as members and CI reported them.",
  scope: "tickets:read",
  effect: "read",
  names: "ticket",
  params: z.object({ id: ticketId }),
  query: noQuery,
  output: z.object({ ticketId, criteria: z.array(criterionView).max(maxCriteria) }),
  about: ({ id }) => [`ticket:${id}`],
  async run(services: ProofRouteServices, { params }) {
    const { ticket, states } = await readStates(services, params.id);
    return { ticketId: ticket.id, criteria: states.map((one) => toCriterionView(one, ranHere)) };
  },
});

const getPolicyRoute = defineRoute({
  method: "GET",
  path: "/api/proof/policy",
  summary: "What the team demands before a ticket is completed.",
  scope: "tickets:read",
  effect: "read",
  names: "none",
  params: noParams,
  query: noQuery,
  output: teamPolicy,
  run: (services: ProofRouteServices) => requireTeam(services).policy.get(),
});

const setPolicyRoute = defineRoute({
  method: "PATCH",
  path: "/api/proof/policy",
  operation: "set_team_policy",
  summary: "Sets what the team demands before a ticket is completed. For admins.",
  scope: "access:write",
  effect: "set",
  names: "none",
  params: noParams,
  query: noQuery,
  body: z.strictObject({
    proof: z.enum(proofPolicies).optional(),
    ciOnly: z.boolean().optional().describe("Checks that can be run count only if CI ran them"),
  }),
  output: teamPolicy,
  async run(services: ProofRouteServices, { body }, call) {
    const { policy } = requireTeam(services);
    return policy.set(call, (before) => {
      const after = { proof: body.proof ?? before.proof, ciOnly: body.ciOnly ?? before.ciOnly };
      const isLower = strictest([before.proof, after.proof]) !== after.proof || (before.ciOnly && !after.ciOnly);
      if (isLower && !call.principal.atKeyboard) throw policyNeedsPerson();
      return after;
    });
  },
});

/** A ticket, and what its records prove by the team's policy. */
async function readStates(services: ProofRouteServices, id: string) {
  const { get, policy } = requireTeam(services);
  const [ticket, { ciOnly }] = [await get(id), await policy.get()];
  return { ticket, ciOnly, states: readCriterionStates(ticket.criteria, ticket.records, { ciOnly }) };
}

export const proofRoutes: Route<ProofRouteServices>[] = [
  keysRoute,
  receiptRoute,
  proofRoute,
  getPolicyRoute,
  setPolicyRoute,
];
