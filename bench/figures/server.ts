import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundleServer } from "../builds.ts";
import type { Effort } from "../effort.ts";
import { measureRounds, Rounds } from "../rounds.ts";
import { compare, type Goal, type Row } from "../row.ts";
import { bareStore } from "../servers/bare-store.ts";
import { ticketId } from "../ticket-store.ts";
import type { Workshop } from "../workshop.ts";
import { type Asked, type Load, load } from "./server-load.ts";
import { type EngineName, onEngines, type ServerPlace } from "./server-places.ts";
import { startWebServer, type WebServer } from "./server-process.ts";
import { makeTeam } from "./server-team.ts";

type Serving = WebServer & { token: string; tickets: number };
type Subject = { name: string; server: Serving; connections: number; requests: number; ask(index: number): Asked };
type Programs = { team: string; bare: string; env: Record<string, string> };

const connections = 64;
/** Spreads the ids over the store. */
const stride = 7919;

/** A team server compared with two routes that only run their statement, on both engines. */
export async function measureServer(
  { folder, forge, env }: Workshop,
  effort: Effort,
): Promise<{ rows: Row[]; samples: Record<string, Rounds<Load>> }> {
  // Where drivers that cannot be bundled are found.
  const programFolder = dirname(dirname(forge));
  const programs = {
    team: await bundleServer(programFolder, "team"),
    bare: await bundleServer(programFolder, "bare-routes"),
    env,
  };
  const data = join(folder, "server-data");
  mkdirSync(data);
  const rows: Row[] = [];
  const samples: Record<string, Rounds<Load>> = {};
  await onEngines(data, async (engine, make) => {
    const measured = await measureEngine(programs, make, effort);
    samples[engine] = measured;
    rows.push(...rowsOf(engine, measured, effort));
  });
  return { rows, samples };
}

async function measureEngine(
  programs: Programs,
  make: (name: string) => Promise<ServerPlace>,
  { serverTickets, serverRounds, serverRequests, random }: Effort,
): Promise<Rounds<Load>> {
  const servers: WebServer[] = [];
  const started = async (program: string, { args }: ServerPlace, known: { token: string; tickets: number }) => {
    const server = { ...(await startWebServer([program, ...args], programs.env)), ...known };
    servers.push(server);
    return server;
  };
  const team = async (name: string, tickets: number) => {
    const place = await make(name);
    return started(programs.team, place, { token: await makeTeam(place.place, tickets), tickets });
  };
  try {
    const few = await team("few", serverTickets.few);
    const many = await team("many", serverTickets.many);
    const barePlace = await make("bare");
    await fillBare(barePlace, few);
    const bare = await started(programs.bare, barePlace, { token: few.token, tickets: few.tickets });
    const reads = { connections, requests: serverRequests };
    const subjects: Subject[] = [
      ...[few, bare].flatMap((server) => [
        { name: named("read", server === few), server, ...reads, ask: reading(server) },
        {
          name: named("update", server === few),
          server,
          connections,
          requests: serverRequests / 4,
          ask: updating(server),
        },
      ]),
      ...[few, many].map((server) => ({
        name: page(server.tickets),
        server,
        connections: 1,
        requests: 200,
        ask: firstPage,
      })),
      { name: spread, server: many, ...reads, ask: reading(many) },
    ];
    const measure = ({ server, ...asked }: Subject) => load({ ...asked, url: server.url, token: server.token });
    for (const subject of subjects) await measure(subject);
    return await measureRounds(subjects, { count: serverRounds, random }, measure);
  } finally {
    for (const server of servers) await server.end();
  }
}

/** So many that none is requested twice in a round. */
const spread = "read, each ticket once";
const named = (what: string, isForge: boolean) => (isForge ? what : `${what}, bare route`);
const page = (tickets: number) => `page of ${tickets.toLocaleString("en")} tickets`;

const pathOf = ({ tickets }: Serving, index: number) => `/api/tickets/${ticketId(((index * stride) % tickets) + 1)}`;
const firstPage = (): Asked => ({ method: "GET", path: "/api/tickets" });

function reading(server: Serving): Subject["ask"] {
  return (index) => ({ method: "GET", path: pathOf(server, index) });
}

function updating(server: Serving): Subject["ask"] {
  let count = 0;
  const next = () => String(++count).padStart(6, "0");
  return (index) => ({
    method: "PATCH",
    path: pathOf(server, index),
    body: JSON.stringify({ title: `Sign out everywhere, case ${next()}` }),
  });
}

/** The bare routes return copies of Forge's answers, so that both send the same bytes. */
async function fillBare({ args: [folder = "", databaseUrl] }: ServerPlace, { url, token, tickets }: Serving) {
  const answers = new Map<string, string>();
  for (let number = 1; number <= tickets; number++) {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}/api/tickets/${ticketId(number)}`, { headers });
    answers.set(ticketId(number), await answer.text());
  }
  const store = await bareStore(folder, databaseUrl);
  await store.fill(answers);
  await store.close();
}

function rowsOf(engine: EngineName, samples: Rounds<Load>, { serverTickets: { few, many } }: Effort): Row[] {
  const rate = (what: string, atLeast: number) =>
    compare(samples, {
      id: `server-${what}-${engine}`,
      what: `Ticket ${what} over HTTP, ${connections} connections, ${engine}`,
      of: what,
      against: `${what}, bare route`,
      unit: "requests/s",
      pick: ({ requestsPerSecond }) => requestsPerSecond,
      goal: { kind: "target", atLeast },
    });
  const pages = compare(samples, {
    id: `server-page-${engine}`,
    what: `First page over HTTP, ${many.toLocaleString("en")} tickets, ${engine}, p50`,
    of: page(many),
    against: page(few),
    unit: "ms",
    pick: ({ p50 }) => p50,
    goal: { kind: "target", atMost: 1.5 },
  });
  const uncached = compare(samples, {
    id: `server-read-spread-${engine}`,
    what: `The same, ${many.toLocaleString("en")} tickets, each once, ${engine}`,
    of: spread,
    against: "read, bare route",
    unit: "requests/s",
    pick: ({ requestsPerSecond }) => requestsPerSecond,
  });
  return [
    rate("read", 0.5),
    uncached,
    tail(engine, samples, "read"),
    rate("update", 0.3),
    tail(engine, samples, "update"),
    pages,
  ];
}

function tail(engine: EngineName, samples: Rounds<Load>, what: string): Row {
  const times = new Rounds<number>();
  for (const { p50, p99 } of samples.samplesOf(what)) {
    times.add("p50", p50);
    times.add("p99", p99);
  }
  const goal: Goal = { kind: "target", atMost: 5 };
  const named = { id: `server-${what}-tail-${engine}`, what: `The same ${what}, p99, ${engine}` };
  return compare(times, { ...named, of: "p99", against: "p50", unit: "ms", pick: (ms) => ms, goal });
}
