import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../../test/harness/db/store.ts";
import { Visitor } from "../../../test/harness/http/page-visitor.ts";
import { openServerWithPeople } from "../../../test/harness/http/team-server.ts";
import { bob, home, join, login, openAccess } from "../../../test/harness/rooms/access.ts";
import { makePackage } from "../../../test/harness/rooms/registry-packages.ts";

const folder = temporaryFolder();
let stores = 0;

const cy = { ...bob, email: "cy@example.com", displayName: "Cy" };

/** A server with Cy in its team, whose token was accepted a moment ago and is remembered. */
async function openWithCy() {
  const server = await openServerWithPeople({ file: `${folder()}/${++stores}/forge.db` });
  const member = await join(server.access, server.ada.by, cy, "member");
  const { accessToken } = member.pair;
  const look = async (token = accessToken, team?: string) => {
    const headers = team === undefined ? {} : { "x-team-id": team };
    return (await server.request("GET", "/api/tickets", { token, headers })).status;
  };
  expect(await look()).toBe(200);
  return { ...server, member, look };
}

type Opened = Awaited<ReturnType<typeof openWithCy>>;

const endings: [what: string, end: (opened: Opened) => Promise<unknown>][] = [
  [
    "its refresh token comes twice",
    async ({ request, clock, member: { pair } }) => {
      const refresh = () => request("POST", "/api/auth/refresh", { body: { refreshToken: pair.refreshToken } });
      expect((await refresh()).status).toBe(200);
      // Sooner it could be a client that never got the answer.
      clock.pass(31);
      expect((await refresh()).status).toBe(401);
    },
  ],
  [
    "its person signs out",
    ({ request, member }) => request("POST", "/api/auth/logout", { token: member.pair.accessToken }),
  ],
  [
    "an admin ends it",
    ({ request, token, member }) => request("DELETE", `/api/tokens/${member.by.tokenId}`, { token }),
  ],
  [
    "its person is taken out of the team",
    ({ request, token, member: { by } }) =>
      request("DELETE", `/api/teams/${by.team.id}/members/${by.user.id}`, { token }),
  ],
  [
    "its person sets a new password by a link",
    async ({ app, access, ada, member }) => {
      const { code } = await access.recovery.createLink(ada.by, member.by.user.id, home);
      const visitor = await new Visitor(app, { host: "127.0.0.1" }).open(`/reset?code=${code}`);
      await visitor.send("/reset", { password: "a whole new one", again: "a whole new one" });
      expect(visitor.title).toBe("Password set");
    },
  ],
  // The same behind the routes' back, so that nothing but the ending itself can tell.
  ["its sign-in is ended", ({ access, member }) => access.tokens.end(member.pair.accessToken, home)],
  ["it is revoked", ({ access, ada, member }) => access.tokens.revoke(ada.by, member.by.tokenId, home)],
  ["its person is removed", ({ access, ada, member }) => access.members.remove(ada.by, member.by.user.id, home)],
  [
    "its person's password is reset",
    async ({ access, ada, member }) => {
      const { code } = await access.recovery.createLink(ada.by, member.by.user.id, home);
      await access.recovery.reset(code, "a whole new one", home);
    },
  ],
];

test.each(endings)("K29 an access token is refused from the moment that %s", async (_what, end) => {
  const opened = await openWithCy();
  await end(opened);
  expect(await opened.look()).toBe(401);
  expect(await opened.look(opened.token)).toBe(200);
});

test("a sign-in of another team speaks for nobody here from the moment that its person is taken out", async () => {
  const { access, ada, look } = await openWithCy();
  const second = await access.teams.create(ada.by, "Second", home);
  const there = { ...ada.by, team: second };
  const { code } = await access.invitations.create(there, { role: "member", email: cy.email }, home);
  await access.registration.accept(code, cy, home);
  const { pair, by } = await login(access, cy);
  const elsewhere = by.team.id === second.id ? ada.by : there;
  expect(await look(pair.accessToken, elsewhere.team.id)).toBe(200);
  await access.members.remove(elsewhere, by.user.id, home);
  expect(await look(pair.accessToken, elsewhere.team.id)).toBe(401);
  expect(await look(pair.accessToken, by.team.id)).toBe(200);
});

test("what another role no longer allows is refused at once", async () => {
  const { access, ada, member, request } = await openWithCy();
  await access.members.setRole(ada.by, member.by.user.id, "admin", home);
  const audit = async () => (await request("GET", "/api/audit", { token: member.pair.accessToken })).status;
  const before = await audit();
  await access.members.setRole(ada.by, member.by.user.id, "viewer", home);
  expect([before, await audit()]).toEqual([200, 403]);
});

test("a change counts what its caller may do now, also if another process has just changed that", async () => {
  const place = { file: `${folder()}/${++stores}/forge.db` };
  const { access, ada, request } = await openServerWithPeople(place);
  const { access: elsewhere } = openAccess(place);
  const { by, pair } = await join(access, ada.by, cy, "viewer");
  const token = pair.accessToken;
  const change = async () => (await request("POST", "/api/tickets", { token, body: { title: "One" } })).status;
  // Remembered as a viewer from here on.
  expect((await request("GET", "/api/tickets", { token })).status).toBe(200);
  await elsewhere.members.setRole(ada.by, by.user.id, "member", home);
  expect(await change()).toBe(201);
  await elsewhere.members.setRole(ada.by, by.user.id, "viewer", home);
  expect(await change()).toBe(403);
  await elsewhere.tokens.revoke(ada.by, by.tokenId, home);
  expect(await change()).toBe(401);
});

test("a refresh that is refused for another reason, and one that is good, leave others remembered", async () => {
  const { access, member } = await openWithCy();
  let told = 0;
  access.revocations.listen(() => told++);
  await expect(access.refreshTokens.exchange("none", home)).rejects.toThrow();
  await access.refreshTokens.exchange(member.pair.refreshToken, home);
  expect(told).toBe(0);
});

/** A change whose body comes only when it is let go. */
function holdBack(app: Opened["app"], path: string, headers: Record<string, string>, sent: object) {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let isAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      isAsked();
      await held;
      controller.enqueue(Buffer.from(JSON.stringify(sent)));
      controller.close();
    },
  };
  const answer = app.request(path, {
    method: "POST",
    headers: { host: "127.0.0.1", "content-type": "application/json", ...headers },
    body: new ReadableStream(source, { highWaterMark: 0 }),
    duplex: "half",
  } as RequestInit);
  return { asked, letGo, answer };
}

test("a change is refused if its token or session was ended before its body arrived", async () => {
  const { app, access, ada, member, request, token } = await openWithCy();
  const { cookie, csrf } = await access.signIn.withPassword(cy.email, cy.password, home);
  const browser = { cookie: `__Host-forge_session=${cookie}`, "x-csrf-token": csrf };
  const bearer = { authorization: `Bearer ${member.pair.accessToken}` };
  const draft = { title: "Written by a token that was revoked" };
  const ofToken = { name: "late", scopes: ["tickets:read"] };
  const held = [
    holdBack(app, "/api/tickets", bearer, draft),
    holdBack(app, "/api/tickets", { ...bearer, "idempotency-key": "one" }, draft),
    holdBack(app, "/api/tokens", browser, ofToken),
  ];
  const inTime = holdBack(app, "/api/tokens", browser, ofToken);
  await Promise.all([...held, inTime].map(({ asked }) => asked));
  inTime.letGo();
  expect((await inTime.answer).status).toBe(201);
  const { code } = await access.recovery.createLink(ada.by, member.by.user.id, home);
  await access.recovery.reset(code, "a whole new one", home);
  for (const { letGo } of held) letGo();
  for (const { answer } of held) expect((await answer).status).toBe(401);
  expect(await (await request("GET", "/api/tickets", { token })).json()).toMatchObject({ tickets: [] });
});

/** Changes wait in the order in which they came until they are let go. */
function holdChanges({ database }: Opened): () => Promise<void> {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const holding = database.transaction(() => held);
  return async () => {
    letGo();
    await holding;
  };
}

test.each<[string, (opened: Opened, token: string) => Promise<Response>]>([
  [
    "the same request with its key",
    ({ request }, token) =>
      request("POST", "/api/tickets", { token, body: { title: "One" }, headers: { "idempotency-key": "one" } }),
  ],
  [
    "another package",
    ({ request }, token) => {
      const archive = makePackage("@acme/review", "1.0.0");
      return request("POST", "/api/v1/plugins", { token, body: { archive: Buffer.from(archive).toString("base64") } });
    },
  ],
])("a change that waited for %s is refused if its token was ended meanwhile", async (_what, send) => {
  const opened = await openWithCy();
  const { access, ada, member } = opened;
  const letGo = holdChanges(opened);
  const asked = vi.spyOn(Object.getPrototypeOf(opened.database), "transaction");
  onTestFinished(() => asked.mockRestore());
  const first = send(opened, member.pair.accessToken);
  // Until it waits for the store.
  await vi.waitFor(() => expect(asked).toHaveBeenCalled(), { timeout: 30_000 });
  const second = send(opened, member.pair.accessToken);
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
  const ended = access.tokens.revoke(ada.by, member.by.tokenId, home);
  await letGo();
  await ended;
  expect([(await first).status < 300, (await second).status]).toEqual([true, 401]);
});

test("a browser's session that has ended makes no token, also if it was valid when the request came", async () => {
  const { access } = await openWithCy();
  const { cookie } = await access.signIn.withPassword(cy.email, cy.password, home);
  const by = await access.sessions.authenticate(cookie, undefined);
  if (!by) throw new Error("a fresh session speaks for nobody");
  const create = () => access.tokens.create(by, { name: "one", scopes: ["tickets:read"], days: 1 }, home);
  await create();
  await access.sessions.close(cookie);
  await expect(create()).rejects.toMatchObject({ code: "AUTH_REQUIRED" });
});
