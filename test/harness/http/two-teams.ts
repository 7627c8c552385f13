import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, onTestFinished } from "vitest";
import { openTeamApp } from "../../../src/app/server/team-app.ts";
import { Redactor } from "../../../src/kernel/text/redactor.ts";
import type { Place } from "../../../src/platform/db/types.ts";
import type { NewPerson } from "../../../src/rooms/access/model/model.ts";
import { AccessStore } from "../../../src/rooms/access/store/store.ts";
import { join, login, openAccess, type SignedInPerson, setUp } from "../rooms/access.ts";
import { type Answer, answerOf } from "../rooms/tickets/ticket-app.ts";
import { expectDescribed } from "./described.ts";

const person = (name: string): NewPerson => ({
  email: `${name.toLowerCase()}@example.com`,
  displayName: name,
  password: "correct horse",
});

const unlimited = { perSecond: 1e6, burst: 1e6 };

/** In every name and text of the other team; no one else may ever see it. */
export const theirMark = "Umbrella";

/** A server with two separate teams. */
export async function openTwoTeams(place: Place) {
  const { access, clock, database } = openAccess(place);
  const failures: unknown[] = [];
  const { app, stop } = await openTeamApp({
    database: database.forTables<unknown>(),
    access,
    publicUrl: () => "https://forge.example",
    host: "127.0.0.1",
    rates: { read: unlimited, write: unlimited, public: unlimited, refused: unlimited },
    redactor: new Redactor(),
    log: (level, message, fields) => void (level === "error" && failures.push([message, fields])),
  });
  onTestFinished(async () => {
    await stop();
    expect(failures, "what went wrong inside").toEqual([]);
  });
  const ada = await setUp(access);
  const vic = await join(access, ada.by, person("Vic"), "viewer");
  // Which team is the server's first is told by when they were made.
  clock.pass(1);
  const eve = await otherTeam();

  /** Only a server's own setup makes a team, and only the first. */
  async function otherTeam(): Promise<SignedInPerson> {
    const store = new AccessStore(database.forTables<unknown>(), clock.now);
    const admin = person(`${theirMark}Eve`);
    await access.registration.accept(
      (await access.invitations.create(ada.by, { role: "viewer" }, { address: "x" })).code,
      admin,
      {
        address: "x",
      },
    );
    await database.transaction(async (tx) => {
      const user = await store.userByEmail(tx, admin.email);
      const team = await store.addTeam(tx, theirMark);
      await store.addMember(tx, team.id, user?.id ?? "", "admin");
      await tx
        .deleteFrom("access_member")
        .where("user_id", "=", user?.id ?? "")
        .where("team_id", "<>", team.id)
        .execute();
    });
    return login(access, admin);
  }

  async function request(
    token: string | undefined,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await app.request(path, {
      method,
      headers: {
        host: "forge.example",
        // The user's own command: what only a person may do is refused for other reasons then.
        "x-forge-person": "1",
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    expectDescribed(method, path, response);
    return answerOf(response);
  }

  /** Everything the server stores, except who asked what and when, as text. */
  async function state(): Promise<string> {
    const tables = ["ticket", "ticket_event", "ticket_counter", "lease", "access_user", "access_team", "access_member"];
    tables.push("governance_project", "governance_contract", "governance_build", "governance_build_contract");
    tables.push("governance_artifact", "governance_artifact_usage", "governance_artifact_trash");
    tables.push("access_project", "access_invitation", "access_audit");
    return database.read(async (db) => {
      const kept: unknown[] = [];
      for (const table of tables) {
        const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db);
        kept.push(table, rows.map((row) => JSON.stringify(row)).sort());
      }
      const live = db.selectFrom("access_grant").select(["id", "scopes", "ended_at", "expires_at"]).orderBy("id");
      return JSON.stringify([kept, await live.execute()], null, 1);
    });
  }

  /** Creates something of a kind in the caller's team; returns its id. */
  const make = {
    ticket: async ({ pair }: SignedInPerson, title = "A ticket") => {
      const id = `aec_${randomUUID()}`;
      const tickets = [{ id, title, status: "CREATED", questions: [{ question: "Which one?" }] }];
      const { status } = await request(pair.accessToken, "POST", "/api/tickets/import", { tickets });
      if (status !== 200) throw new Error(`a ticket was answered with ${status}`);
      return id;
    },
    token: async ({ by }: SignedInPerson, name = "CI") =>
      (await access.tokens.create(by, { name, scopes: ["tickets:read"], days: 1 }, { address: "x" })).id,
    team: async ({ by }: SignedInPerson) => by.team.id,
    member: async ({ by }: SignedInPerson, name = "Mo") =>
      (await join(access, by, { ...person(name), email: `${randomUUID()}@example.com` }, "member")).by.user.id,
    project: async ({ by }: SignedInPerson, name = "Shop") =>
      (await access.projects.add(by, `${name} ${randomUUID()}`, { address: "x" })).id,
    invitation: async ({ by }: SignedInPerson) =>
      (await access.invitations.create(by, { role: "viewer" }, { address: "x" })).id,
    contract: async ({ pair }: SignedInPerson) => {
      await request(pair.accessToken, "POST", "/api/governance/contracts", { name: "manifesto", content: theirMark });
      return "manifesto";
    },
    "contract-project": async ({ pair }: SignedInPerson, name = "Shop") => {
      const { body } = await request(pair.accessToken, "POST", "/api/governance/projects", { name });
      const id = String(body["id"]);
      const at = `/api/governance/projects/${id}/contracts/stack`;
      await request(pair.accessToken, "POST", at, { content: name });
      return id;
    },
    build: async (of: SignedInPerson): Promise<string> => {
      const project = await make["contract-project"](of);
      const at = `/api/governance/projects/${project}/builds`;
      return String((await request(of.pair.accessToken, "POST", at)).body["build_id"]);
    },
  };

  return { app, access, clock, database, request, state, make, ada, vic, eve };
}
