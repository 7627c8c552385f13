import type { BenchClient, ServerCommand } from "../client.ts";
import type { Effort } from "../effort.ts";
import { measureRounds, type Rounds } from "../rounds.ts";
import { compare, type Row } from "../row.ts";
import { ticketId } from "../ticket-store.ts";
import type { Workshop } from "../workshop.ts";
import { askMany, readyAnswer, type Subject } from "./asking.ts";
import type { TicketProject, TicketProjects } from "./ticket-projects.ts";

/** As many as the smaller store has, so that both pages have the same bytes. */
const pageSize = 10;
/** Spreads the ids over the store. */
const stride = 7919;

/** The cost of reading tickets: with few and with very many, and compared with a server that has the answer ready. */
export async function measureTicketReads(
  workshop: Workshop,
  { few, many }: TicketProjects,
  effort: Effort,
): Promise<{ rows: Row[]; samples: Rounds<number | undefined> }> {
  const server = ({ name, folder }: TicketProject): ServerCommand => ({ ...workshop.servers.forge, name, cwd: folder });
  const asked = (
    what: string,
    project: TicketProject,
    ask: (client: BenchClient, id: string) => Promise<unknown>,
  ): Subject => ({
    name: `${what}, ${project.name}`,
    server: server(project),
    ask: (client, index) => ask(client, ticketId(((index * stride) % project.tickets) + 1)),
  });
  const work = asked("start", many, prompt);
  // The first prompt of a ticket records that work on it begins. Later ones only read.
  const again: Subject = { ...work, name: `prompt, ${many.name}`, ask: (client) => prompt(client, ticketId(1)) };
  const subjects: Subject[] = [
    ...[few, many].flatMap((project) => [asked("context", project, context), asked("page", project, page)]),
    work,
    again,
    await readyAnswer("context", workshop, server(many), (client) => context(client, ticketId(1))),
    await readyAnswer("page", workshop, server(many), page),
  ];
  const measure = (subject: Subject) => askMany(subject, effort);
  for (const subject of subjects) await askMany(subject, { warmUpCalls: 1, calls: 1 });
  const samples = await measureRounds(subjects, { count: effort.ticketRounds, random: effort.random }, measure);
  return { rows: rowsOf(samples, few.name, many.name), samples };
}

const context = (client: BenchClient, id: string) => client.call("get_ticket_context", { ticketId: id });
const page = (client: BenchClient) => client.call("list_tickets", { limit: pageSize });
const prompt = (client: BenchClient, id: string) =>
  client.request("prompts/get", { name: "forge_execute", arguments: { ticketId: id } });

function rowsOf(samples: Rounds<number | undefined>, few: string, many: string): Row[] {
  const row = (id: string, what: string, of: string, against: string, goal: Row["goal"]) =>
    compare(samples, { id, what, of, against, unit: "ms", pick: (ms) => ms, ...(goal && { goal }) });
  const flat = { kind: "target", atMost: 1.5 } as const;
  const twice = { kind: "target", atMost: 2 } as const;
  return [
    row("ticket", `\`get_ticket_context\`, ${many}, p50`, `context, ${many}`, `context, ${few}`, flat),
    row("ticket-answer", `\`get_ticket_context\`, ${many}, p50`, `context, ${many}`, "context, ready", twice),
    row("ticket-page", `First page of \`list_tickets\`, ${many}, p50`, `page, ${many}`, `page, ${few}`, flat),
    row("ticket-page-answer", `First page of \`list_tickets\`, ${many}, p50`, `page, ${many}`, "page, ready", {
      kind: "aim",
      atMost: 2,
    }),
    row("ticket-prompt", `Prompt \`forge_execute\`, ${many}, p50`, `prompt, ${many}`, `context, ${many}`, twice),
    row(
      "ticket-start",
      `The same, the first time: records the start, ${many}, p50`,
      `start, ${many}`,
      `context, ${many}`,
      undefined,
    ),
  ];
}
