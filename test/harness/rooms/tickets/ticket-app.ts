import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { expect, onTestFinished } from "vitest";
import { Leases } from "../../../../src/commons/leases/index.ts";
import { Ledger, TeamLedger } from "../../../../src/commons/ledger/index.ts";
import { serveRoutes } from "../../../../src/hosts/http/routes.ts";
import type { Principal, Scope } from "../../../../src/kernel/principal.ts";
import { Redactor } from "../../../../src/kernel/text/redactor.ts";
import { openDatabase } from "../../../../src/platform/db/database.ts";
import type { Place } from "../../../../src/platform/db/types.ts";
import { ticketRoutes } from "../../../../src/rooms/tickets/http/routes.ts";
import { LocalTickets } from "../../../../src/rooms/tickets/service/local-tickets.ts";
import { migrations } from "../../db/all-migrations.ts";

export type Answer = { status: number; headers: Headers; body: Record<string, unknown>; text: string };

type Sent = { as?: string; team?: string; ifMatch?: string };

const scopes: Scope[] = ["tickets:read", "tickets:write"];

/** The members of every team here, by id. */
const names = new Map([
  ["u-ada", "Ada"],
  ["u-bob", "Bob"],
]);

/** The ticket routes over HTTP, for the team and caller that a request names. */
export function openTicketApp(place: Place) {
  const database = openDatabase(place, migrations);
  const redactor = new Redactor();
  const ledger = new Ledger({ database, redactor, log: () => undefined, timing: { poll: 20 } });
  const leases = new Leases(database);
  const failures: unknown[] = [];
  const teams = new Map<string, { tickets: LocalTickets; ledger: TeamLedger }>();
  const ofTeam = (team: string) => {
    const own = new TeamLedger(ledger, team);
    const known = teams.get(team) ?? {
      ledger: own,
      tickets: new LocalTickets({ database, ledger: own, leases, team }),
    };
    teams.set(team, known);
    return known;
  };
  onTestFinished(async () => {
    for (const { tickets } of teams.values()) await tickets.stop();
    await ledger.stop();
    await database.close();
  });
  const app = new Hono();
  serveRoutes(app, {
    routes: ticketRoutes,
    requester: async (context) => {
      const id = context.req.header("x-test-user") ?? "u-ada";
      const name = names.get(id) ?? id;
      const principal: Principal = { kind: "user", id, name, agent: "harness", ownWords: true, scopes };
      const { tickets, ledger: recorder } = ofTeam(context.req.header("x-test-team") ?? "one");
      const people = { nameOf: async (userId: string) => names.get(userId) };
      const log = (level: string, message: string, fields?: Record<string, unknown>) => {
        if (level === "error") failures.push([message, fields]);
      };
      const runtime = {
        services: { tickets, people, proof: async () => undefined },
        recorder,
        redactor,
        newId: randomUUID,
        now: Date.now,
        log,
      };
      return { runtime, principal, about: [] };
    },
    redactor,
    log: (message, fields) => void failures.push([message, fields]),
    newId: randomUUID,
  });

  async function request(method: string, path: string, body?: unknown, sent: Sent = {}): Promise<Answer> {
    const headers = {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(sent.as !== undefined && { "x-test-user": sent.as }),
      ...(sent.team !== undefined && { "x-test-team": sent.team }),
      ...(sent.ifMatch !== undefined && { "if-match": sent.ifMatch }),
    };
    const response = await app.request(path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return answerOf(response);
  }

  /** Internal errors that were answered with a reference number. */
  return { request, failures, ofTeam };
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") && text !== "";
  const body = isJson ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { status: response.status, headers: response.headers, body, text };
}

/** A ticket, by its id. */
export async function made(
  app: ReturnType<typeof openTicketApp>,
  fields: Record<string, unknown> = {},
  team?: string,
): Promise<string> {
  const sent = team === undefined ? {} : { team };
  const { status, body } = await app.request("POST", "/api/tickets", { title: "Add logout", ...fields }, sent);
  expect(status).toBe(201);
  return String(body["id"]);
}

export const idsIn = ({ body }: Answer) => (body["tickets"] as { id: string }[]).map(({ id }) => id);
