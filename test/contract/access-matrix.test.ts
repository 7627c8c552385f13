import { describe, expect, it } from "vitest";
import { loadRoutes } from "../../src/app/server/server-routes.ts";
import { nameOf } from "../../src/kernel/calls/serve-route.ts";
import type { Route, SharedName } from "../../src/kernel/definitions/route.ts";
import { describeOnEngines } from "../harness/db/store.ts";
import { openTwoTeams, theirMark } from "../harness/http/two-teams.ts";
import type { Answer } from "../harness/rooms/tickets/ticket-app.ts";

type TeamRoute = Route<unknown>;
type Server = Awaited<ReturnType<typeof openTwoTeams>>;
type Kind = Exclude<TeamRoute["names"], "none" | SharedName>;

const routes = (await loadRoutes()).map(({ route }) => route);

/** An id of each kind that is nowhere; what a path can name has its row here or the compiler says so. */
const nowhere: Record<Kind, string> = {
  ticket: "aec_00000000-0000-4000-8000-000000000000",
  token: "00000000-0000-4000-8000-000000000000",
  team: "00000000-0000-4000-8000-000000000000",
  member: "00000000-0000-4000-8000-000000000000",
  project: "00000000-0000-4000-8000-000000000000",
  invitation: "00000000-0000-4000-8000-000000000000",
  contract: "blueprint",
  "contract-project": "00000000-0000-4000-8000-000000000000",
  build: "00000000-0000-4000-8000-000000000000",
};

/** Anybody may call these; a new one is added here on purpose or not at all. */
const publicRoutes = [
  "GET /api/keys",
  "POST /api/auth/device/request",
  "POST /api/auth/device/token",
  "POST /api/auth/device/verify",
  "POST /api/auth/refresh",
];

/** A viewer may do these: they are about the caller's own tokens. */
const ownBusiness = ["POST /api/auth/logout", "POST /api/tokens", "DELETE /api/tokens/:id"];

/** What the server answers under /api beside its routes, and the scope that it takes; `public` is for anybody. */
const besideRoutes: Record<string, string> = {
  "GET /api/docs": "public",
  "GET /api/events": "activity:read",
  "GET /api/health": "public",
  "GET /api/openapi.json": "public",
  "GET /api/ready": "public",
};

/** A body that each route takes, so that what is refused is refused for the reason that the test is about. */
const bodies: Record<string, unknown> = {
  "POST /api/tickets": { title: "Another" },
  "POST /api/tickets/import": { tickets: [{ title: "Brought in" }] },
  "PATCH /api/tickets/:id": { title: "Changed", status: "DRIFTED" },
  "PATCH /api/tickets/:id/assign": { userId: "me" },
  "POST /api/tickets/:id/claim": { worker: "one" },
  "POST /api/tickets/:id/start": { branch: "main" },
  "POST /api/tickets/:id/execution-events": { type: "risk", title: "Slow", description: "Very" },
  "POST /api/tickets/:id/settle": { executionSummary: "Done" },
  "POST /api/tickets/:id/records": { entry: { kind: "comment", text: "Done" } },
  "POST /api/tickets/:id/questions": { questions: [{ question: "Which one?" }] },
  "POST /api/tickets/:id/answers": { answers: { "Q-1": "That" } },
  "POST /api/tickets/:id/dismissals": { reasons: { "Q-1": "Asked before" } },
  "POST /api/tickets/:id/start-implementation": { branchName: "forge/logout" },
  "POST /api/tickets/:id/review-session": { qaItems: [{ question: "Which one?", answer: "That" }] },
  "POST /api/auth/device/request": { client: "forge" },
  "POST /api/auth/device/token": { deviceCode: "0".repeat(32) },
  "POST /api/auth/device/verify": { userCode: "ABCD-2345" },
  "POST /api/auth/refresh": { refreshToken: "none" },
  "PATCH /api/teams/:team/members/:id": { role: "viewer" },
  "POST /api/invitations": { role: "viewer" },
  "POST /api/tokens": { name: "CI", scopes: ["tickets:read"], days: 1 },
  "POST /api/v1/plugins": { archive: "AAAA" },
  "POST /api/v1/plugins/:id/versions/:version/yank": { reason: "Broken" },
  "POST /api/governance/contracts": { name: "ui", content: "# UI" },
  "POST /api/governance/projects": { name: "Shop" },
  "POST /api/governance/projects/:id/contracts/:type": { content: "# Stack" },
  "POST /api/artifacts": { project_id: "shop", artifact_type: "phase", key: "one", content: {} },
  "POST /api/artifacts/remove": { project_id: "shop", artifact_type: "phase", key: "one" },
  "POST /api/artifacts/clear": { project_id: "shop" },
  "POST /api/artifacts/restore": { project_id: "shop" },
  "PATCH /api/proof/policy": { proof: "warn" },
  "POST /api/projects": { name: "Shop" },
  "PATCH /api/projects/:id": { name: "Market" },
  "POST /api/teams": { name: "Another" },
  "POST /api/activity": {
    entries: [
      {
        id: "1",
        at: "2026-11-15T10:00:00.000Z",
        kind: "tool",
        name: "get_file_changes",
        effect: "read",
        about: [],
        outcome: "ok",
        durationMs: 1,
        evidence: [],
      },
    ],
  },
};

/** What lists need to be asked with. */
const queries: Record<string, string> = {
  "GET /api/artifacts": "?project_id=shop",
  "GET /api/tickets/summaries": "?ids=T-001",
};

/** These answer with one thing, which a team may not have. */
const notLists = ["/api/artifacts/item", "/forge/boundaries", "/forge/physics", "/forge/directive", "/forge/stack"];

/** What all teams share, such as packages, has no other team's ids; its own tests show who may change it. */
const kindOf = ({ names }: TeamRoute): Kind | "none" => (names === "package" ? "none" : names);
const bodyOf = (route: TeamRoute) => bodies[nameOf(route)];
const variablesIn = ({ path }: TeamRoute) => path.split("/").filter((part) => part.startsWith(":"));
const isWrite = ({ effect }: TeamRoute) => effect !== "read" && effect !== "fetch";
const named = routes.filter((route) => kindOf(route) !== "none");
const byName = (list: TeamRoute[]) => list.map((route) => [nameOf(route), route] as const);

function pathOf({ path }: TeamRoute, values: { id: string; team: string }): string {
  return path
    .replace(":team", values.team)
    .replace(":id", values.id)
    .replace(":version", "1.0.0")
    .replace(":type", "stack");
}

function sharedId({ names }: TeamRoute): string {
  return names === "package" ? "%40acme%2Fnone" : "";
}

describe("Every route has its row in the matrix (K05)", () => {
  it("serves no path twice", () => {
    const names = routes.map(nameOf);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(byName(routes))("%s names what its path's ids are, and has a body to be tried with", (name, route) => {
    const variables = variablesIn(route);
    if (route.names === "none") expect(variables).toEqual([]);
    else if (route.names !== "package") expect(Object.keys(nowhere)).toContain(route.names);
    const known =
      route.names === "team"
        ? [":team"]
        : [":team", ":id", ":type", ...(route.names === "package" ? [":version"] : [])];
    expect(known).toEqual(expect.arrayContaining(variables));
    expect(Object.keys(route.params.shape).map((variable) => `:${variable}`)).toEqual(variables);
    if (route.body) expect(route.body.safeParse(bodies[name]).success).toBe(true);
    else expect(bodies).not.toHaveProperty(name);
  });

  it("has no row for a route that is gone", () => {
    const names = routes.map(nameOf);
    expect(names).toEqual(expect.arrayContaining([...Object.keys(bodies), ...publicRoutes, ...ownBusiness]));
  });

  it("lets anybody call what is meant for anybody, and nothing else", () => {
    expect(routes.filter(({ scope }) => scope === "public").map(nameOf)).toEqual(publicRoutes);
  });

  it("asks for a scope to write before every change of what is the team's", () => {
    const lenient = routes.filter((route) => isWrite(route) && !route.scope.endsWith(":write")).map(nameOf);
    const known = [...publicRoutes, ...ownBusiness].filter((name) => !name.startsWith("GET "));
    expect(lenient.sort()).toEqual(known.sort());
  });
});

describeOnEngines("The access matrix", (engine) => {
  const open = async () => openTwoTeams(await engine.fresh());

  /** The one route with one token; whatever its path names is nowhere. */
  const call = (server: Server, route: TeamRoute, token: string | undefined) => {
    const kind = kindOf(route);
    const id = kind === "none" ? sharedId(route) : nowhere[kind];
    const path = pathOf(route, { id, team: server.ada.by.team.id });
    return server.request(token, route.method, path, bodyOf(route));
  };

  it("answers at no path under /api that has no row", async () => {
    const { app } = await open();
    // What refuses other methods on a route's path, and what all requests pass through, answers nothing of its own.
    const passed = new Set(["/api/*", "/api/docs", "/api/openapi.json", ...routes.map(({ path }) => path)]);
    const served = app.routes
      .filter(({ method, path }) => /^\/(?:api|forge)\//.test(path) && !(method === "ALL" && passed.has(path)))
      .map(({ method, path }) => `${method} ${path}`);
    const rows = [...routes.map(nameOf), ...Object.keys(besideRoutes)];
    expect([...new Set(served)].sort()).toEqual(rows.sort());
  });

  it("asks for a token and its scope beside the routes too", async () => {
    const server = await open();
    const { access, ada } = server;
    for (const [name, scope] of Object.entries(besideRoutes)) {
      const path = name.split(" ")[1] ?? "";
      const open = await server.request(undefined, "GET", path);
      expect(open.status, name).toBe(scope === "public" ? 200 : 401);
      expect(open.text, name).not.toContain(ada.by.team.id);
      if (scope === "public") continue;
      expect((await server.request("garbled", "GET", path)).status, name).toBe(401);
      const scopes = ada.by.scopes.filter((known) => known !== scope);
      const { secret } = await access.tokens.create(ada.by, { name: "All but one", scopes, days: 1 }, { address: "x" });
      const lacking = await server.request(secret, "GET", path);
      expect(lacking.status, name).toBe(403);
      expect(lacking.body, name).toMatchObject({ code: "PERMISSION_DENIED", details: { scope } });
    }
  });

  it("answers 401 on every route to a token that is missing, garbled, foreign, expired or revoked (K01)", async () => {
    const server = await open();
    const { access, clock, ada, vic } = server;
    const soon = await access.tokens.create(
      ada.by,
      { name: "Soon over", scopes: ["tickets:read"], days: 1 },
      { address: "x" },
    );
    const ended = await access.tokens.create(
      ada.by,
      { name: "Ended", scopes: ["tickets:read"], days: 9 },
      { address: "x" },
    );
    await access.tokens.revoke(ada.by, ended.id, { address: "x" });
    clock.pass(2 * 24 * 3_600);
    const bad: Record<string, string | undefined> = {
      missing: undefined,
      garbled: "garbled",
      "one letter off": `${ada.pair.accessToken.slice(0, -1)}${ada.pair.accessToken.endsWith("A") ? "B" : "A"}`,
      "for refreshing": ada.pair.refreshToken,
      "a browser's": ada.cookie,
      "of a sign-in that expired": vic.pair.accessToken,
      expired: soon.secret,
      revoked: ended.secret,
      oversized: "A".repeat(4_000),
    };
    const before = await server.state();
    for (const route of routes.filter(({ scope }) => scope !== "public")) {
      const texts = new Set<string>();
      for (const [what, token] of Object.entries(bad)) {
        const { status, headers, body, text } = await call(server, route, token);
        expect(status, `${nameOf(route)} with a token ${what}`).toBe(401);
        expect(headers.get("www-authenticate")).toMatch(/^Bearer .*resource_metadata="/);
        expect(body["code"]).toMatch(/^AUTH_/);
        if (token !== undefined) texts.add(text);
      }
      expect(texts.size, `${nameOf(route)} tells bad tokens apart`).toBe(1);
    }
    expect(await server.state()).toBe(before);
  });

  it("answers 401 where a good token is used for a team that is not its person's", async () => {
    const server = await open();
    const { ada, eve } = server;
    for (const team of [eve.by.team.id, nowhere.team, "' OR 1=1"]) {
      const { status } = await server.request(ada.pair.accessToken, "GET", "/api/tickets", undefined, {
        "x-team-id": team,
      });
      expect(status, team).toBe(401);
    }
  });

  it("answers 403 with the scope to every token that lacks it, whatever was sent (K04)", async () => {
    const server = await open();
    const { access, ada } = server;
    const before = await server.state();
    for (const route of routes) {
      const { scope } = route;
      if (scope === "public" || scope === "signed-in") continue;
      const others = ada.by.scopes.filter((known) => known !== scope);
      const token = await access.tokens.create(
        ada.by,
        { name: "All but one", scopes: others, days: 1 },
        { address: "x" },
      );
      const { status, headers, body } = await call(server, route, token.secret);
      expect(status, nameOf(route)).toBe(403);
      expect(headers.get("www-authenticate")).toBe(`Bearer error="insufficient_scope", scope="${scope}"`);
      expect(body).toMatchObject({ code: "PERMISSION_DENIED", details: { scope } });
      await access.tokens.revoke(ada.by, token.id, { address: "x" });
    }
    expect(withoutAudit(await server.state())).toBe(withoutAudit(before));
  });

  it("answers 401 with a challenge also where anybody may call, and the route checks who it is", async () => {
    const server = await open();
    for (const route of routes.filter(({ scope }) => scope === "public")) {
      const { status } = await call(server, route, undefined);
      expect(status === 401, nameOf(route)).toBe(route.checksWho === true);
    }
  });

  it("holds every change to If-Match where its route says so, and refuses the header everywhere else", async () => {
    const server = await open();
    const { ada, make } = server;
    for (const route of routes.filter(isWrite)) {
      const kind = kindOf(route);
      const id = kind === "none" ? sharedId(route) : await make[kind](ada, `For ${nameOf(route).replaceAll("/", " ")}`);
      const path = pathOf(route, { id, team: ada.by.team.id });
      const before = await server.state();
      const { status, body } = await server.request(ada.pair.accessToken, route.method, path, bodyOf(route), {
        "if-match": '"99"',
      });
      expect(status, nameOf(route)).toBe(route.conditional ? 412 : 400);
      if (!route.conditional) expect(body["message"]).toContain("does not support If-Match");
      expect(await server.state(), nameOf(route)).toBe(before);
    }
  });

  it("lets a viewer look and change nothing", async () => {
    const server = await open();
    const before = await server.state();
    for (const route of routes.filter((each) => isWrite(each) && each.scope.endsWith(":write"))) {
      const { status, body } = await call(server, route, server.vic.pair.accessToken);
      expect(status, nameOf(route)).toBe(403);
      expect(body).toMatchObject({ code: "PERMISSION_DENIED", details: { scope: route.scope } });
    }
    expect(await server.state()).toBe(before);
    for (const path of ["/api/me", "/api/tickets", "/api/tickets/quota", "/api/projects"])
      expect((await server.request(server.vic.pair.accessToken, "GET", path)).status, path).toBe(200);
  });

  describe("another team's ids (K05)", () => {
    it("are answered on every route as ids that are nowhere, and nothing is changed", async () => {
      const server = await open();
      const { ada, eve, make } = server;
      const theirs: Record<Kind, string> = {
        ticket: await make.ticket(eve, theirMark),
        token: await make.token(eve, theirMark),
        team: await make.team(eve),
        member: await make.member(eve, theirMark),
        project: await make.project(eve, theirMark),
        invitation: await make.invitation(eve),
        contract: await make.contract(eve),
        "contract-project": await make["contract-project"](eve, theirMark),
        build: await make.build(eve),
      };
      await server.request(ada.pair.accessToken, "GET", "/api/me");
      const before = await server.state();
      for (const route of named) {
        for (const [what, asked] of attempts(route, theirs, ada.by.team.id, eve.by.team.id)) {
          const foreign = await server.request(ada.pair.accessToken, route.method, asked.theirs, bodyOf(route));
          const missing = await server.request(ada.pair.accessToken, route.method, asked.nowhere, bodyOf(route));
          expect(missing.status, `${nameOf(route)}, ${what}`).toBe(404);
          expect(comparable(foreign, asked.ids), `${nameOf(route)}, ${what}`).toEqual(comparable(missing, asked.ids));
        }
      }
      expect(await server.state()).toBe(before);
    });

    it.each(byName(named))("are refused by %s for being another's: one's own are not", async (_name, route) => {
      const own = await open();
      const { ada, make } = own;
      const named = kindOf(route);
      const kind = named === "none" ? "ticket" : named;
      const path = pathOf(route, { id: await make[kind](ada), team: ada.by.team.id });
      const { status, text } = await own.request(ada.pair.accessToken, route.method, path, bodyOf(route));
      // A ticket that nobody has verified yet has no receipt, and the answer says so.
      if (route.path.endsWith("/receipt")) expect([status, text]).toEqual([400, expect.stringContaining("verified")]);
      else expect(status, text).toBeLessThan(300);
    });

    it("in a body are names like any other, and no member's where a member's is needed", async () => {
      const server = await open();
      const { ada, eve, make } = server;
      const at = `/api/tickets/${await make.ticket(ada)}`;
      const change = (path: string, body: object) => server.request(ada.pair.accessToken, "PATCH", path, body);
      for (const userId of [eve.by.user.id, nowhere.member]) {
        const { status, body } = await change(`${at}/assign`, { userId });
        expect([status, body]).toEqual([400, expect.objectContaining({ details: { userId } })]);
        expect(body["message"]).toBe("The userId is not a member of the team.");
        expect((await change(at, { assignedTo: userId })).body).toMatchObject({ assignedTo: userId });
      }
    });

    it("do not show in any list", async () => {
      const server = await open();
      const { ada, eve, make } = server;
      await make.ticket(eve, theirMark);
      await make.token(eve, theirMark);
      await make.member(eve, theirMark);
      await make.project(eve, theirMark);
      await make["contract-project"](eve, theirMark);
      await make.contract(eve);
      const artifact = { project_id: "shop", artifact_type: "phase", key: theirMark, content: theirMark };
      await server.request(eve.pair.accessToken, "POST", "/api/artifacts", artifact);
      const invitation = await make.invitation(eve);
      const lists = routes.filter(
        (route) =>
          route.method === "GET" &&
          variablesIn(route).every((name) => name === ":team") &&
          !notLists.includes(route.path),
      );
      expect(lists.length).toBeGreaterThan(8);
      for (const route of lists) {
        const asked = pathOf(route, { id: "", team: ada.by.team.id }) + (queries[nameOf(route)] ?? "");
        const { status, text } = await server.request(ada.pair.accessToken, "GET", asked);
        expect(status, nameOf(route)).toBe(200);
        // Eve came by an invitation of this team's before she had one of her own; its record says so.
        if (route.path !== "/api/audit")
          expect(text.toLowerCase(), nameOf(route)).not.toContain(theirMark.toLowerCase());
        expect(text, nameOf(route)).not.toContain(invitation);
        expect(text, nameOf(route)).not.toContain(eve.by.team.id);
      }
    });
  });
});

type Attempt = { theirs: string; nowhere: string; ids: [theirs: string, nowhere: string] };

/** Each id of the path in turn is another's, the others being one's own. */
function attempts(route: TeamRoute, theirs: Record<Kind, string>, own: string, other: string): [string, Attempt][] {
  const kind = kindOf(route);
  if (kind === "none") return [];
  const made: [string, Attempt][] = [];
  const { [kind]: id } = theirs;
  const none = nowhere[kind];
  if (variablesIn(route).includes(":id")) {
    const paths = { theirs: pathOf(route, { id, team: own }), nowhere: pathOf(route, { id: none, team: own }) };
    made.push([`their ${kind}`, { ...paths, ids: [id, none] }]);
  }
  if (variablesIn(route).includes(":team")) {
    const paths = { theirs: pathOf(route, { id, team: other }), nowhere: pathOf(route, { id, team: nowhere.team }) };
    made.push(["their team", { ...paths, ids: [other, nowhere.team] }]);
  }
  return made;
}

/** All of an answer that a caller can compare, but for the id that was asked for. */
function comparable({ status, headers, text }: Answer, [theirs, none]: [string, string]) {
  const told = [...headers].filter(([name]) => !["x-request-id", "date"].includes(name));
  return { status, told, text: text.replaceAll(theirs, "ID").replaceAll(none, "ID") };
}

function withoutAudit(state: string): string {
  const [kept] = JSON.parse(state) as [unknown[], unknown];
  return JSON.stringify(kept.slice(0, kept.indexOf("access_audit")));
}
