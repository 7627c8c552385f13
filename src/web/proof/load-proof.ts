import { readTool, request } from "../data/api.ts";
import { facts } from "../data/start.ts";

export type CriterionProof = {
  id: string;
  text: string;
  state: "unproven" | "proven" | "failed" | "waived";
  why: string;
  checks: {
    id: string;
    check: string;
    state: "unproven" | "proven" | "failed";
    why: string;
    base?: string;
    changed?: true;
    proposedBy?: string;
    commit?: string;
    reportedBy?: string;
  }[];
};

/** Of a project here and now; of a team's server as it was reported. */
export async function loadProof(ticketId: string): Promise<CriterionProof[]> {
  const { criteria } = await (facts.value?.place === "project"
    ? readTool<{ criteria: CriterionProof[] }>("show_proof", { ticketId })
    : request<{ criteria: CriterionProof[] }>("GET", `/api/tickets/${encodeURIComponent(ticketId)}/proof`));
  return criteria;
}

type Receipt = {
  at: string;
  by: string;
  machine: string;
  ticket: { id: string; title: string; description?: string };
  commit: string;
  base?: string;
  criteria: Pick<CriterionProof, "id" | "text" | "state" | "why">[];
  work: {
    execution: string;
    status: string;
    by: string;
    agent?: string;
    commit?: string;
    files?: string[];
    tests?: { status: string; passed: number; failed: number };
  }[];
  rules?: { name: string; status: string; why: string }[];
};

export type SignedReceipt = { result: string; receipt: Receipt; signer: string; text: string };

type Envelope = { payload: string; signatures: { keyid: string }[] };

/** The signed receipt of a ticket; `text` is the file to keep. */
export async function loadReceipt(ticketId: string): Promise<SignedReceipt> {
  const text =
    facts.value?.place === "project"
      ? await loadReceiptText(ticketId, "json")
      : JSON.stringify(await request<Envelope>("GET", `/api/tickets/${encodeURIComponent(ticketId)}/receipt`));
  const { payload, signatures } = JSON.parse(text) as Envelope;
  const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
  const { predicate } = JSON.parse(new TextDecoder().decode(bytes)) as {
    predicate: { result: string; forge: Receipt };
  };
  return { result: predicate.result, receipt: predicate.forge, signer: signatures[0]?.keyid ?? "", text };
}

export async function loadReceiptText(ticketId: string, format: "json" | "markdown" | "html"): Promise<string> {
  return (await readTool<{ text: string }>("make_receipt", { ticketId, format })).text;
}
