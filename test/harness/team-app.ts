import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { onTestFinished } from "vitest";
import { Leases } from "../../src/commons/leases/index.ts";
import { Ledger, TeamLedger } from "../../src/commons/ledger/index.ts";
import { bearerIn, signInNeeded } from "../../src/hosts/http/auth.ts";
import { serveRoutes } from "../../src/hosts/http/routes.ts";
import type { Principal } from "../../src/kernel/principal.ts";
import { Redactor } from "../../src/kernel/redact.ts";
import type { Database } from "../../src/platform/db/database.ts";
import type { Access } from "../../src/rooms/access/ports.ts";
import { LocalTickets } from "../../src/rooms/tickets/index.ts";
import { peopleOf, type ServerServices, serverRoutes } from "../../src/server-routes.ts";

type TeamAppOptions = { access: Access; database: { forTables<Tables>(): Database<Tables> }; now: () => number };

/** The routes of a team's server over HTTP. */
export function openTeamApp({ access, database: opened, now }: TeamAppOptions): Hono {
  const database = opened.forTables<unknown>();
  const redactor = new Redactor();
  const ledger = new Ledger({ database, redactor, log: () => undefined, timing: { poll: 20 } });
  const leases = new Leases(database);
  onTestFinished(() => ledger.stop());
  const app = new Hono();
  serveRoutes<ServerServices>(app, {
    routes: serverRoutes(),
    visitor: async (context, route) => {
      const bearer = bearerIn(context.req.header("authorization"));
      const signedIn = bearer && (await access.authenticate(bearer, context.req.header("x-team-id")));
      if (!signedIn && route.scope !== "public") throw signInNeeded(bearer !== undefined, "/meta");
      const team = signedIn ? signedIn.team.id : "";
      const recorder = new TeamLedger(ledger, team);
      const services = {
        tickets: new LocalTickets({ database, ledger: recorder, leases, team, now }),
        people: signedIn ? peopleOf(access, signedIn) : { nameOf: async () => undefined },
        access,
        signedIn: signedIn || undefined,
        bearer,
        from: { address: "192.0.2.9" },
        publicUrl: "https://forge.example",
        ledger: recorder,
      };
      const principal: Principal = {
        kind: "user",
        id: signedIn ? signedIn.user.id : "nobody",
        name: signedIn ? signedIn.user.displayName : "nobody",
        scopes: signedIn ? signedIn.scopes : [],
      };
      const runtime = { services, recorder, redactor, newId: randomUUID, now, log: () => undefined };
      return { runtime, principal, about: [] };
    },
    redactor,
    log: (message, fields) => {
      throw new Error(`${message} ${JSON.stringify(fields)}`);
    },
    newId: randomUUID,
  });
  return app;
}
