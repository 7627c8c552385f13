import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { BenchClient, isFailure } from "../client.ts";
import type { Effort } from "../effort.ts";
import { Rounds } from "../rounds.ts";
import type { Row } from "../row.ts";
import { withTickets } from "../ticket-store.ts";
import type { Workshop } from "../workshop.ts";

export type WritersSample = { ms: number; asked: number; exactlyOnce: number };

const sharedTickets = 8;

/** Many servers on one store at once: everything they acknowledged is stored exactly once. */
export async function measureTicketWriters(
  { folder, servers }: Workshop,
  { ticketWriters, ticketWrites }: Effort,
): Promise<{ rows: Row[]; samples: Rounds<WritersSample> }> {
  const project = join(folder, "shared-tickets");
  mkdirSync(project);
  const samples = new Rounds<WritersSample>();
  const server = { ...servers.forge, cwd: project };
  const clients = Array.from(
    { length: ticketWriters },
    (_, index) => new BenchClient({ ...server, name: `writer ${index}` }),
  );
  const asked = ticketWriters * ticketWrites;
  const everybody = async (work: (client: BenchClient, writer: number, turn: number) => Promise<void>) => {
    const begun = performance.now();
    await Promise.all(
      clients.map(async (client, writer) => {
        for (let turn = 0; turn < ticketWrites; turn++) await work(client, writer, turn);
      }),
    );
    return performance.now() - begun;
  };
  try {
    await Promise.all(clients.map((client) => client.greet()));
    const created: Created[] = [];
    const creatingMs = await everybody(async (client, writer, turn) => {
      const title = `Writer ${writer}, ticket ${turn}`;
      created.push({ title, id: textIn(await client.call("create_ticket", { title, description: "0" }), "ticketId") });
    });
    const shared = created.slice(0, sharedTickets).map(({ id }) => id);
    const updatingMs = await everybody((client, writer, turn) =>
      countUp(client, shared[(writer + turn) % shared.length] ?? ""),
    );
    await Promise.all(clients.map((client) => client.end()));
    samples.add("creates", { ms: creatingMs, asked, exactlyOnce: await keptCreates(project, created) });
    samples.add("updates", { ms: updatingMs, asked, exactlyOnce: await keptUpdates(project, shared, asked) });
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
  const who = `${ticketWriters} processes × ${ticketWrites}`;
  return {
    rows: [
      keptRow(
        "ticket-creates",
        `${who} new tickets over MCP: there, once, with an id of their own`,
        samples,
        "creates",
      ),
      keptRow("ticket-updates", `${who} updates of shared tickets over MCP: there, once`, samples, "updates"),
    ],
    samples,
  };
}

/** Reads a number and writes the next one; starts over if another writer was faster. */
async function countUp(client: BenchClient, ticketId: string): Promise<void> {
  for (;;) {
    const { description, revision } = structured(await client.call("get_ticket_context", { ticketId }));
    const given = { ticketId, description: String(Number(description) + 1), expectedRevision: revision };
    const result = await client.request("tools/call", { name: "update_ticket", arguments: given });
    if (!isFailure(result)) return;
    const said = JSON.stringify(result);
    if (!said.includes("CONFLICT_ERROR")) throw new Error(`update_ticket failed: ${said.slice(0, 500)}`);
  }
}

type Created = { id: string; title: string };

async function keptCreates(project: string, created: readonly Created[]): Promise<number> {
  const found: Created[] = [];
  await withTickets(project, async (tickets) => {
    for (let cursor: string | undefined; ; ) {
      const page = await tickets.list({ limit: 200, ...(cursor !== undefined && { cursor }) });
      found.push(...page.tickets);
      cursor = page.nextCursor;
      if (cursor === undefined) return;
    }
  });
  const titles = new Map(found.map(({ id, title }) => [id, title]));
  const kept = new Set(created.filter(({ id, title }) => titles.get(id) === title).map(({ id }) => id));
  return kept.size - Math.max(0, found.length - created.length);
}

/** Each number is the old value of exactly one change in the history, and the last is the number of changes. */
async function keptUpdates(project: string, shared: readonly string[], asked: number): Promise<number> {
  let kept = 0;
  let counted = 0;
  await withTickets(project, async (tickets) => {
    for (const id of shared) {
      const updates = (await tickets.history(id, asked * 2)).filter(({ kind }) => kind === "updated");
      const former = updates.map(({ details }) => Number(Object(details["former"]).description));
      kept += former.filter((count, index) => count === index).length;
      counted += Number((await tickets.get(id)).description);
    }
  });
  return asked - Math.max(Math.abs(asked - kept), Math.abs(asked - counted));
}

function keptRow(id: string, what: string, samples: Rounds<WritersSample>, name: string): Row {
  const [sample] = samples.samplesOf(name);
  const forge = sample?.exactlyOnce;
  const other = sample?.asked;
  const ratio = forge === undefined || !other ? undefined : forge / other;
  const goal = { kind: "target", atLeast: 1 } as const;
  return { id, what, unit: "transactions", forge, against: "said to be done", other, ratio, goal };
}

function structured(result: unknown): Record<string, unknown> {
  return Object(Object(result).structuredContent);
}

function textIn(result: unknown, field: string): string {
  return String(structured(result)[field]);
}
