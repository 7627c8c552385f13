import { ForgeError } from "../../src/kernel/errors.ts";
import type { TicketDesk } from "../../src/rooms/tickets/cli/desk.ts";
import type {
  HistoryEntry,
  Ticket,
  TicketFilter,
  TicketPage,
  TicketSummary,
} from "../../src/rooms/tickets/model/ticket.ts";
import { requireGate, requireMove } from "../../src/rooms/tickets/model/status.ts";
import type { ImportOutcome } from "../../src/rooms/tickets/service/tickets.ts";

export function memoryTicket(overrides: Partial<Ticket> = {}): Ticket {
  return {
    id: "T-001",
    slug: "keep-people-signed-in",
    title: "Keep people signed in",
    status: "READY",
    type: "feature",
    priority: "high",
    createdAt: "2026-11-01T12:00:00.000Z",
    updatedAt: "2026-11-02T09:30:00.000Z",
    createdBy: "ada",
    updatedBy: "ada",
    revision: 3,
    foreign: false,
    criteria: [{ id: "AC-1", text: "A reload keeps the session." }],
    fileChanges: [{ path: "src/session.ts", action: "modify" }],
    designRefs: [],
    assumptions: [],
    inScope: [],
    outOfScope: [],
    questions: [{ id: "Q-1", question: "For how long?", blocking: true }],
    document: { id: "T-001", title: "Keep people signed in" },
    ...overrides,
  };
}

const person = "ada";

/** Tickets in memory: what commands ask of it is kept in `deeds`, and it follows the rules of statuses and gates. */
export class MemoryDesk implements TicketDesk {
  deeds: unknown[][] = [];
  tickets: Ticket[] = [memoryTicket()];
  past: HistoryEntry[] = [];
  nextCursor: string | undefined;
  outcomes: ImportOutcome[] = [{ id: "T-002", outcome: "added" }];
  warnings: string[] = [];
  text = "{}";
  readonly #watchers = new Set<() => void>();

  async get(id: string): Promise<Ticket> {
    this.deeds.push(["get", id]);
    return this.#find(id);
  }

  async list(filter: TicketFilter): Promise<TicketPage> {
    this.deeds.push(["list", filter]);
    const { nextCursor } = this;
    return { tickets: this.tickets.map(summaryOf), ...(nextCursor !== undefined && { nextCursor }) };
  }

  async suggest(typed: string, limit: number) {
    this.deeds.push(["suggest", typed, limit]);
    return this.tickets.map(({ id, title, status }) => ({ id, title, status }));
  }

  async history(id: string): Promise<HistoryEntry[]> {
    this.deeds.push(["history", id]);
    return this.past;
  }

  async create(...[draft, status]: Parameters<TicketDesk["create"]>): Promise<Ticket> {
    this.deeds.push(["create", draft, status]);
    const { acceptanceCriteria = [], fileChanges = [] } = draft;
    const ticket = memoryTicket({
      id: `T-00${this.tickets.length + 1}`,
      title: draft.title,
      status: status ?? "DRAFT",
      criteria: acceptanceCriteria.map((text, index) => ({ id: `AC-${index + 1}`, text })),
      fileChanges,
      questions: [],
    });
    this.tickets.push(ticket);
    return ticket;
  }

  async update(...[id, changes]: Parameters<TicketDesk["update"]>): Promise<Ticket> {
    this.deeds.push(["update", id, changes]);
    return this.#find(id);
  }

  async move(...[id, status]: Parameters<TicketDesk["move"]>) {
    this.deeds.push(["move", id, status]);
    const { status: from, previousStatus, id: known } = this.#find(id);
    requireMove(known, from, status, previousStatus);
    return { ticket: this.#change(id, { status }), from, moved: from !== status };
  }

  async assign(id: string, assignee: string | null): Promise<Ticket> {
    this.deeds.push(["assign", id, assignee]);
    const { assignee: _former, ...ticket } = this.#find(id);
    const changed = assignee === null ? ticket : { ...ticket, assignee: assignee === "me" ? person : assignee };
    return this.#put(changed);
  }

  async addQuestions(...[id, questions]: Parameters<TicketDesk["addQuestions"]>): Promise<Ticket> {
    this.deeds.push(["addQuestions", id, questions]);
    const before = this.#find(id).questions;
    const added = questions.map((question, index) => ({ ...question, id: `Q-${before.length + index + 1}` }));
    return this.#change(id, { questions: [...before, ...added] });
  }

  async answer(id: string, answers: Record<string, string>): Promise<Ticket> {
    this.deeds.push(["answer", id, answers]);
    const questions = this.#find(id).questions.map((question) => {
      const answer = answers[question.id];
      return answer === undefined ? question : { ...question, answer };
    });
    return this.#change(id, { questions });
  }

  async complete(...[id, report]: Parameters<TicketDesk["complete"]>): Promise<Ticket> {
    this.deeds.push(["complete", id, report]);
    return this.#change(id, {
      status: "COMPLETE",
      changeRecord: { filesChanged: [{ path: "src/session.ts", additions: 10, deletions: 2 }] },
    });
  }

  async import(request: Parameters<TicketDesk["import"]>[0]) {
    this.deeds.push(["import", request]);
    return { outcomes: this.outcomes, warnings: this.warnings };
  }

  async export(...[id, format]: Parameters<TicketDesk["export"]>): Promise<string> {
    this.deeds.push(["export", id, format]);
    this.#find(id);
    return this.text;
  }

  async editable(id: string) {
    this.deeds.push(["editable", id]);
    return { text: this.text, revision: this.#find(id).revision };
  }

  async saveEdited(...[id, edited]: Parameters<TicketDesk["saveEdited"]>) {
    this.deeds.push(["saveEdited", id, edited]);
    const changed = edited.text !== this.text;
    this.text = edited.text;
    return { ticket: this.#find(id), changed, warnings: this.warnings };
  }

  async begin(...[gate, id, hold]: Parameters<TicketDesk["begin"]>) {
    this.deeds.push(["begin", gate, id, hold]);
    const { id: known, status, assignee } = this.#find(id);
    requireGate(gate, known, status, assignee === person);
    const assigned = gate === "execute" && assignee === undefined;
    return { ticket: assigned ? this.#change(id, { assignee: person }) : this.#find(id), assigned };
  }

  watch(_id: string | undefined, changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  #find(id: string): Ticket {
    const ticket = this.tickets.find((candidate) => candidate.id.toUpperCase() === id.toUpperCase());
    if (ticket) return ticket;
    throw new ForgeError("NOT_FOUND", `There is no ticket ${id}.`, {
      suggestions: ["`forge list` shows those there are."],
    });
  }

  #change(id: string, changes: Partial<Ticket>): Ticket {
    return this.#put({ ...this.#find(id), ...changes });
  }

  #put(ticket: Ticket): Ticket {
    this.tickets = this.tickets.map((candidate) => (candidate.id === ticket.id ? ticket : candidate));
    for (const tell of this.#watchers) tell();
    return ticket;
  }
}

function summaryOf(ticket: Ticket): TicketSummary {
  const { id, slug, title, status, type, priority, assignee, createdAt, updatedAt, revision, foreign, claim } = ticket;
  return {
    id,
    title,
    status,
    createdAt,
    updatedAt,
    revision,
    foreign,
    ...(slug !== undefined && { slug }),
    ...(type !== undefined && { type }),
    ...(priority !== undefined && { priority }),
    ...(assignee !== undefined && { assignee }),
    ...(claim !== undefined && { claim }),
  };
}
