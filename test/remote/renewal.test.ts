import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { path } from "../../src/commons/remote/index.ts";
import { RefreshLock } from "../../src/commons/remote/login/refresh-lock.ts";
import { failureOf, serve } from "../harness/http/fetching.ts";
import { Laptop, tokens } from "./laptop.ts";

const me = path`/me`;

type Behaviour = {
  /** Whether a new refresh token comes with each refresh. */
  rotates?: boolean;
  expiresAt?: string;
  /** The answers to the first requests with a good token, instead of success. */
  first?: number[];
};

/** A server whose access tokens are ended at will; it counts what it was asked. */
async function startServer({ rotates = true, expiresAt = "2026-03-01T10:15:00.000Z", first = [] }: Behaviour = {}) {
  const state = {
    access: tokens.accessToken,
    refresh: tokens.refreshToken,
    refreshes: 0,
    reused: 0,
    seen: [] as string[],
  };
  const { url } = await serve((request, response) => {
    let body = "";
    const answer = (status: number, value: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      if (request.url === "/api/auth/refresh") {
        if (JSON.parse(body).refreshToken !== state.refresh) {
          state.reused++;
          return answer(401, { message: "no" });
        }
        state.refreshes++;
        state.access = `access-token-1${state.refreshes}00`;
        if (rotates) state.refresh = `refresh-token-1${state.refreshes}00`;
        return answer(200, { accessToken: state.access, expiresAt, ...(rotates && { refreshToken: state.refresh }) });
      }
      const token = request.headers.authorization?.slice("Bearer ".length) ?? "";
      state.seen.push(token);
      if (token !== state.access) return answer(401, { message: "expired" });
      return answer(first.shift() ?? 200, { user: {}, team: {} });
    });
  });
  const expire = () => {
    state.access = "nobody-has-this-one";
  };
  return { api: `${url}/api`, state, expire };
}

describe("an expired token", () => {
  it.each([true, false])(
    "is renewed once, kept in memory and on disk, and the request repeated (rotates: %s)",
    async (rotates) => {
      const { api, state, expire } = await startServer({ rotates });
      const laptop = new Laptop();
      await laptop.signIn(api, { theme: "dark" });
      const server = laptop.server(api);
      expire();
      await server.request("GET", me);
      await server.request("GET", me);
      expect(state.refreshes).toBe(1);
      expect(state.seen).toEqual([tokens.accessToken, state.access, state.access]);
      expect(await laptop.file.read()).toMatchObject({
        accessToken: state.access,
        refreshToken: state.refresh,
        expiresAt: "2026-03-01T10:15:00.000Z",
        theme: "dark",
      });
      expect(laptop.redactor.text(`${state.access} ${state.refresh}`)).toBe("[redacted] [redacted]");
      expect(existsSync(`${laptop.file.path}.lock`)).toBe(false);
    },
  );

  it("of many calls at once is renewed once", async () => {
    const { api, state, expire } = await startServer();
    const laptop = new Laptop();
    await laptop.signIn(api);
    const server = laptop.server(api);
    expire();
    await Promise.all(Array.from({ length: 20 }, () => server.request("GET", me)));
    expect([state.refreshes, state.reused]).toEqual([1, 0]);
  });

  it("of several programs at once is renewed by one of them, for all", async () => {
    const { api, state, expire } = await startServer();
    const first = new Laptop();
    await first.signIn(api);
    const servers = [first, ...Array.from({ length: 5 }, () => new Laptop(first.home))].map((one) => one.server(api));
    await Promise.all(servers.map((server) => server.request("GET", me)));
    for (const round of [1, 2, 3]) {
      expire();
      await Promise.all(servers.map((server) => server.request("GET", me)));
      expect([state.refreshes, state.reused]).toEqual([round, 0]);
    }
  });

  it("that another program has renewed already is not renewed again", async () => {
    const { api, state } = await startServer();
    const laptop = new Laptop();
    const stored = await laptop.signIn(api);
    const server = laptop.server(api);
    await server.request("GET", me);
    state.access = "access-token-other";
    await laptop.file.write({ ...stored, accessToken: state.access });
    await server.request("GET", me);
    expect(state.refreshes).toBe(0);
  });

  it("is renewed although a program died while renewing", async () => {
    const { api, state, expire } = await startServer();
    const laptop = new Laptop();
    await laptop.signIn(api);
    const lock = new RefreshLock(`${laptop.file.path}.lock`, () => Date.now() - 31_000);
    expect(await lock.take()).toBeDefined();
    expire();
    await laptop.server(api).request("GET", me);
    expect(state.refreshes).toBe(1);
  });

  it("that cannot be renewed means to sign in anew", async () => {
    const { api, state, expire } = await startServer();
    const laptop = new Laptop();
    await laptop.signIn(api);
    expire();
    state.refresh = "ended";
    const error = await failureOf(laptop.server(api).request("GET", me));
    expect(error).toMatchObject({ code: "AUTH_REQUIRED", message: "Your session has expired." });
    expect(existsSync(`${laptop.file.path}.lock`)).toBe(false);
  });

  it("whose successor is refused too means the same, after one renewal", async () => {
    const { api, state } = await startServer({ first: [401] });
    const laptop = new Laptop();
    await laptop.signIn(api);
    state.access = "nobody-has-this-one";
    const error = await failureOf(laptop.server(api).request("GET", me));
    expect(error).toMatchObject({ code: "AUTH_REQUIRED", message: "Your session has expired." });
    expect(state.refreshes).toBe(1);
  });

  it("renewed, is the one that a repetition after 503 uses", async () => {
    const { api, state, expire } = await startServer({ first: [503] });
    const laptop = new Laptop();
    await laptop.signIn(api);
    expire();
    await laptop.server(api).request("GET", me);
    expect(state.seen).toEqual([tokens.accessToken, state.access, state.access]);
    expect(laptop.pauses).toEqual([2_000]);
  });

  it("renewed where the disk does not take it still works, with a warning", async () => {
    const { api, expire } = await startServer();
    const laptop = new Laptop();
    await laptop.signIn(api);
    laptop.file.write = () => Promise.reject(new Error("disk full"));
    const server = laptop.server(api);
    expire();
    await server.request("GET", me);
    await server.request("GET", me);
    expect(laptop.logged).toEqual([expect.stringContaining("could not be saved")]);
  });
});

describe("K35 a clock that is wrong", () => {
  it.each(["1999-01-01T00:00:00.000Z", "2999-01-01T00:00:00.000Z"])(
    "does not matter: a token that expires in %s is used until the server refuses it",
    async (expiresAt) => {
      const { api, state, expire } = await startServer({ expiresAt });
      const laptop = new Laptop();
      await laptop.signIn(api, { expiresAt });
      const server = laptop.server(api);
      await server.request("GET", me);
      expect(state.refreshes).toBe(0);
      expire();
      for (let calls = 0; calls < 3; calls++) await server.request("GET", me);
      expect(state.refreshes).toBe(1);
    },
  );
});

describe("a sign-in", () => {
  it("that ended meanwhile is said to have", async () => {
    const { api, expire } = await startServer();
    const laptop = new Laptop();
    await laptop.signIn(api);
    const server = laptop.server(api);
    await server.request("GET", me);
    await laptop.file.remove();
    expire();
    const error = await failureOf(server.request("GET", me));
    expect(error).toMatchObject({ code: "AUTH_REQUIRED", message: expect.stringContaining("not signed in") });
  });

  it("to another server is never sent to this one", async () => {
    const { api, state, expire } = await startServer();
    const laptop = new Laptop();
    const stored = await laptop.signIn(api);
    const server = laptop.server(api);
    await server.request("GET", me);
    await laptop.file.write({ ...stored, accessToken: "access-token-elsewhere", apiUrl: "https://other.example/api" });
    expire();
    expect(await failureOf(server.request("GET", me))).toMatchObject({ code: "AUTH_REQUIRED" });
    expect(state.seen).not.toContain("access-token-elsewhere");
  });

  it("in a corrupt file is one clear error", async () => {
    const laptop = new Laptop();
    await laptop.signIn("https://forge.example/api");
    writeFileSync(laptop.file.path, readFileSync(laptop.file.path, "utf8").slice(0, 40));
    chmodSync(laptop.file.path, 0o600);
    const error = await failureOf(laptop.server("https://forge.example/api").request("GET", me));
    expect(error).toMatchObject({ code: "CONFIG_ERROR" });
    expect(JSON.stringify(error.next)).toContain("login");
  });
});
