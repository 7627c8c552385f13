import type { z } from "zod";
import type { Call } from "../../../kernel/call.ts";
import type { Effect } from "../../../kernel/effect.ts";
import { canonicalId, requireId } from "../model/ids.ts";
import { misfit } from "../model/misfit.ts";
import { canResume, requireGate } from "../model/status.ts";
import type { Ticket, TicketChanges } from "../model/ticket.ts";
import { workBaseOf } from "../model/transitions.ts";
import { readFacts } from "../reading/facts.ts";
import type { ActiveTickets } from "../service/active-tickets.ts";
import { resolveAssignee } from "../service/resolve-assignee.ts";
import type { ClaimableTickets, RepositoryServices } from "../service/tickets.ts";
import { readWorkBase, readWorkSince } from "../service/work-base.ts";
import { fullDocument } from "../store/fact-columns.ts";
import type { TicketDesk } from "./desk.ts";

export type DeskServices = RepositoryServices & { tickets: ClaimableTickets; work: ActiveTickets };

/** Has an operation done for the person, with its entry in the ledger. */
export type Operate = <T>(
  operation: { name: string; effect: Effect; about: string[] },
  run: (services: DeskServices, call: Call) => Promise<T>,
) => Promise<T>;

/** Loaded when first used: most commands need neither. */
const formats = () => import("../formats/index.ts");
const schemas = () => import("../model/ticket.ts");

/** Tickets for commands. */
export function openTicketDesk({ tickets, work }: DeskServices, operate: Operate): TicketDesk {
  const reading = <T>(name: string, ids: string[], run: (call: Call) => Promise<T>) =>
    operate({ name: `forge ${name}`, effect: "read", about: named(ids) }, (_, call) => run(call));
  const changing = <T>(name: string, ids: string[], run: (call: Call, services: DeskServices) => Promise<T>) =>
    operate({ name: `forge ${name}`, effect: "set", about: named(ids) }, (services, call) => run(call, services));

  async function updateChecked(id: string, changes: TicketChanges, call: Call): Promise<Ticket> {
    const { ticketChanges } = await schemas();
    return tickets.update(call, id, checked(ticketChanges, resolveAssignee(changes, call.principal)));
  }

  return {
    get: (id, options) => reading("show", [id], () => tickets.get(id, options)),
    list: (filter) =>
      reading("list", [], ({ principal }) =>
        tickets.list({ ...filter, ...(filter.assignee === "me" && { assignee: principal.name }) }),
      ),
    suggest: (typed, limit) => tickets.suggest(typed, limit),
    history: (id) => tickets.history(id),
    create: (draft, status) =>
      changing("create", [], async (call) => {
        const { ticketDraft } = await schemas();
        return tickets.create(call, checked(ticketDraft, resolveAssignee(draft, call.principal)), { status });
      }),
    update: (id, changes) => changing("update", [id], (call) => updateChecked(id, changes, call)),
    move: (id, status) => changing("status", [id], (call) => tickets.move(call, id, status)),
    assign: (id, assignee) => changing("assign", [id], (call) => updateChecked(id, { assignee }, call)),
    addQuestions: (id, questions) =>
      changing("questions", [id], async (call) => {
        const { newQuestion } = await schemas();
        const asked = questions.map((question) => checked(newQuestion, question));
        return tickets.addQuestions(call, id, asked);
      }),
    answer: (id, answers) => changing("questions", [id], (call) => tickets.answer(call, id, answers)),
    complete: (id, { summary, divergences }) =>
      changing("complete", [id], async (call, services) => {
        const { changeRecord } = await schemas();
        const done = await readWorkSince(services, workBaseOf(await tickets.get(id)), call.signal);
        const record = checked(changeRecord, {
          ...done,
          ...(summary !== undefined && { executionSummary: summary }),
          ...(divergences.length > 0 && { divergences }),
        });
        return tickets.complete(call, id, record);
      }),
    import: ({ text, source, format, onExisting }) =>
      changing("import", [], async (call) => {
        const { decodeTickets } = await formats();
        const { documents, warnings } = decodeTickets(text, { format, source });
        const odd = documents.flatMap((document) => readFacts(document).warnings);
        const incoming = documents.map((document) => ({ document, source }));
        return { outcomes: await tickets.import(call, incoming, onExisting), warnings: [...warnings, ...odd] };
      }),
    export: (id, format) =>
      reading("export", [id], async () => {
        const { encodeTicket } = await formats();
        return encodeTicket(fullDocument(await tickets.get(id)), format);
      }),
    editable: (id) =>
      reading("edit", [id], async () => {
        const { editableText } = await formats();
        const ticket = await tickets.get(id);
        return { text: editableText(fullDocument(ticket)), revision: ticket.revision };
      }),
    saveEdited: (id, { text, revision }) =>
      changing("edit", [id], async (call) => {
        const { readEdited } = await formats();
        const { document, warnings } = readEdited(text);
        const ticket = await tickets.replace(call, id, document, revision);
        const odd = readFacts(document).warnings;
        return { ticket, changed: ticket.revision !== revision, warnings: [...warnings, ...odd] };
      }),
    begin: (gate, id, hold) =>
      changing(gate, [id], async (call, services) => {
        const { principal, signal } = call;
        const before = await tickets.get(id);
        requireGate(gate, before.id, before.status, canResume(before, principal.name));
        if (hold && gate === "execute") await tickets.hold(before.id, principal);
        work.bind(before.id);
        if (gate === "review") return { ticket: before, assigned: false };
        const ticket = await tickets.start(call, before.id, await readWorkBase(services, signal));
        return { ticket, assigned: isAssigned(before, ticket) };
      }),
    watch: (id, changed) => tickets.watch(id === undefined ? undefined : requireId(id), changed),
  };
}

function named(ids: string[]): string[] {
  return ids.map((id) => `ticket:${canonicalId(id.slice(0, 100))}`);
}

/** What a person typed is held to the same bounds as what an assistant sends. */
function checked<Schema extends z.ZodObject>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.strict().safeParse(given);
  if (parsed.success) return parsed.data as z.output<Schema>;
  throw misfit(parsed.error, given);
}

function isAssigned(before: Ticket, after: Ticket): boolean {
  return before.assignee === undefined && after.assignee !== undefined;
}
