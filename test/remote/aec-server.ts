import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { serve } from "../harness/http/fetching.ts";

type Stored = Record<string, unknown> & { id: string; status: string };
type Answer = { status: number; body?: unknown };

/** What a field is refused with: other bodies than those a method knows. */
const known: Record<string, string[]> = {
  "POST tickets": ["title", "description", "type", "priority", "repositoryFullName", "branchName"],
  "PATCH ticket": ["title", "description", "acceptanceCriteria", "assumptions", "status", "techSpec"],
  "PATCH assign": ["userId"],
  "POST review-session": ["qaItems"],
  "POST settle": ["executionSummary", "filesChanged", "divergences"],
  "PATCH archive": [],
  "PATCH unarchive": [],
};

const defaultMembers: Record<string, string>[] = [
  { userId: "u1", displayName: "Ada" },
  { userId: "u2", displayName: "Bob" },
];

/**
 * A ticket server of the original kind, as far as clients can tell: bare lists of whole tickets, specifications under
 * `techSpec`, words of one generation for statuses, and 400 for every field it does not know.
 */
export async function startAecServer({
  words = ["draft", "defined", "refined", "approved", "executing", "delivered"],
  members = defaultMembers,
} = {}) {
  const tickets = new Map<string, Stored>();
  const requests: {
    method: string;
    path: string;
    body: Record<string, unknown>;
    headers: IncomingMessage["headers"];
  }[] = [];
  let clock = Date.parse("2026-03-01T10:00:00.000Z");
  const tick = () => {
    clock += 1_000;
    return new Date(clock).toISOString();
  };

  function add(ticket: Partial<Stored> = {}): string {
    const id = ticket.id ?? `aec_${randomUUID()}`;
    const at = tick();
    const usual = { slug: `acme-${tickets.size + 1}`, title: "Add logout", status: words[0] ?? "", priority: "medium" };
    const nothing = { assignedTo: null, reviewSession: null, acceptanceCriteria: [], assumptions: [], questions: [] };
    tickets.set(id, { ...usual, ...nothing, techSpec: null, createdAt: at, updatedAt: at, ...ticket, id });
    return id;
  }

  const { url, stop } = await serve((request, response) => {
    let text = "";
    request.on("data", (chunk) => (text += chunk));
    request.on("end", () => {
      const { pathname: path } = new URL(request.url ?? "", "http://x");
      const body: Record<string, unknown> = text === "" ? {} : JSON.parse(text);
      requests.push({ method: request.method ?? "", path, body, headers: request.headers });
      const answer = handle(request.method ?? "", path, body);
      response.writeHead(answer.status, { "content-type": "application/json" });
      response.end(answer.body === undefined ? "" : JSON.stringify(answer.body));
    });
  });

  function handle(method: string, path: string, body: Record<string, unknown>): Answer {
    const [, , room = "", id = "", part = ""] = path.split("/");
    if (room === "teams" && part === "members") return { status: 200, body: { success: true, members } };
    if (room !== "tickets") return refusal(404, `Cannot ${method} ${path}`);
    const kind = part || (id === "" ? "tickets" : "ticket");
    return method === "GET" ? read(id) : write(id, `${method} ${kind}`, body);
  }

  function read(id: string): Answer {
    if (id === "") return list((ticket) => ticket.status !== "archived");
    if (id === "archived") return list((ticket) => ticket.status === "archived");
    const ticket = find(id);
    return ticket ? { status: 200, body: ticket } : refusal(404, "Ticket not found");
  }

  function write(id: string, what: string, body: Record<string, unknown>): Answer {
    const unknown = Object.keys(body).filter((field) => !known[what]?.includes(field));
    if (unknown.length > 0)
      return refusal(
        400,
        unknown.map((field) => `property ${field} should not exist`),
      );
    if (what === "POST tickets") return { status: 201, body: tickets.get(add(body)) };
    const ticket = find(id);
    return ticket ? change(ticket, what, body) : refusal(404, "Ticket not found");
  }

  function find(id: string): Stored | undefined {
    return tickets.get(id) ?? [...tickets.values()].find(({ slug }) => slug === id);
  }

  function list(fits: (ticket: Stored) => boolean): Answer {
    return { status: 200, body: [...tickets.values()].filter(fits) };
  }

  function change(ticket: Stored, what: string, body: Record<string, unknown>): Answer {
    const set = (fields: Record<string, unknown>) => {
      tickets.set(ticket.id, { ...ticket, ...fields, updatedAt: tick() });
      return { status: 200, body: tickets.get(ticket.id) };
    };
    const { status, userId, qaItems } = body;
    if (what === "PATCH ticket" && status !== undefined && !words.includes(String(status)))
      return refusal(400, "Invalid status");
    if (what === "PATCH ticket") return set(body);
    if (what === "PATCH assign") return set({ assignedTo: userId });
    if (what === "PATCH archive") return set({ status: "archived", previousStatus: ticket.status });
    if (what === "PATCH unarchive") return set({ status: ticket["previousStatus"] });
    if (what === "POST review-session") {
      set({ reviewSession: { qaItems, submittedAt: "2026-03-01T11:00:00.000Z" } });
      return { status: 200, body: { success: true, ticketId: ticket.id, status: ticket.status } };
    }
    if (what !== "POST settle") return refusal(404, `Cannot ${what}`);
    if (ticket.status !== words[4]) return refusal(400, "Ticket is not executing");
    return set({ status: words[5], changeRecord: { ...body, status: "awaiting_review" } });
  }

  return { api: `${url}/api`, tickets, requests, add, stop };
}

function refusal(status: number, message: string | string[]): Answer {
  return { status, body: { statusCode: status, message, error: "Refused" } };
}
