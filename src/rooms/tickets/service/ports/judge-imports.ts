import type { Call } from "../../../../kernel/calls/call.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { Ticket } from "../../model/ticket.ts";
import { emptyTicket } from "../../model/transitions.ts";
import { readFacts } from "../../reading/facts.ts";
import { readContent } from "../../reading/read-content.ts";
import { importNeedsPerson } from "../errors.ts";
import { isComplete } from "../ticket-importer.ts";
import type { ExistingIdPolicy, ImportedTicket, TicketServices, Tickets } from "../tickets.ts";
import { requireProof, requireProofOfEdit } from "./require-proof.ts";

type Verdict = Pick<ImportedTicket, "proof" | "judged">;
type ImportServices = Pick<TicketServices, "proof"> & { tickets: Pick<Tickets, "get"> };

/**
 * What the project's policy says of the tickets that an import completes. One that exists already is completed like any other.
 * One that was completed elsewhere is unproven here; where proof is required, only a person imports it.
 */
export async function judgeImports(
  services: ImportServices,
  incoming: readonly ImportedTicket[],
  onExisting: ExistingIdPolicy,
  call: Call,
): Promise<ImportedTicket[]> {
  const verdicts = new Map<boolean, Verdict>();
  // The same for all that have criteria, and for all that have none.
  const judgeNew = async ({ document, source }: ImportedTicket): Promise<Verdict> => {
    const { criteria } = readContent(document);
    const isEmpty = criteria.length === 0;
    const verdict = verdicts.get(isEmpty) ?? (await judgeAdded(services, { ...emptyTicket, criteria }, source, call));
    verdicts.set(isEmpty, verdict);
    return verdict;
  };
  const judge = async (ticket: ImportedTicket): Promise<Verdict> => {
    const facts = readFacts(ticket.document);
    if (!isComplete(facts)) return {};
    const canExist = onExisting === "replace" || onExisting === "skip";
    const existing = canExist ? await findTicket(services, facts.id) : undefined;
    if (!existing) return judgeNew(ticket);
    if (onExisting !== "replace") return {};
    const verdict = await requireProofOfEdit(services, existing, ticket.document, call);
    return { ...verdict, ...(verdict.proof === "proven" && { judged: existing }) };
  };
  const judged: ImportedTicket[] = [];
  for (const ticket of incoming) judged.push({ ...ticket, ...(await judge(ticket)) });
  return judged;
}

async function judgeAdded(services: ImportServices, ticket: Ticket, source: string, call: Call): Promise<Verdict> {
  try {
    return await requireProof(services, ticket, call);
  } catch (error) {
    if (!(error instanceof ForgeError) || error.code !== "VALIDATION_ERROR") throw error;
    if (call.principal.atKeyboard) return { proof: "unproven" };
    throw importNeedsPerson(source);
  }
}

export async function findTicket(
  { tickets }: { tickets: Pick<Tickets, "get"> },
  id: string | undefined,
): Promise<Ticket | undefined> {
  if (id === undefined) return undefined;
  try {
    return await tickets.get(id);
  } catch (error) {
    if (error instanceof ForgeError && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}
