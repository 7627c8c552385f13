import { onTestFinished } from "vitest";
import { openTeamApp, type TeamAppOptions } from "../../../src/app/server/team-app.ts";
import type { Scope } from "../../../src/kernel/principal.ts";
import { Redactor } from "../../../src/kernel/text/redactor.ts";
import type { Place } from "../../../src/platform/db/types.ts";
import { temporaryFolder } from "../db/store.ts";
import { bob, home, join, openAccess, setUp } from "../rooms/access.ts";
import { expectDescribed } from "./described.ts";

export const publicUrl = "https://forge.example";

type Sent = { token?: string | undefined; body?: unknown; headers?: Record<string, string> };

/** A team server as the program composes it, without a port. Several can share a store. */
export async function openTestServer(place: Place, options: Partial<TeamAppOptions> = {}) {
  const opened = openAccess(place);
  const { access } = opened;
  const database = opened.database.forTables<unknown>();
  const logged: string[] = [];
  const server = await openTeamApp({
    database,
    access,
    publicUrl: () => publicUrl,
    host: "127.0.0.1",
    redactor: new Redactor(),
    log: (level, message, fields) => void (level !== "debug" && logged.push(`${message} ${JSON.stringify(fields)}`)),
    ...options,
  });
  onTestFinished(() => server.stop());

  /** A request as a program sends it. */
  async function request(method: string, path: string, { token, body, headers = {} }: Sent = {}): Promise<Response> {
    const text =
      typeof body === "string" || body === undefined || body instanceof Uint8Array ? body : JSON.stringify(body);
    const response = await server.app.request(path, {
      method,
      headers: {
        host: "127.0.0.1",
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(text !== undefined && {
          "content-type": "application/json",
          "content-length": String(Buffer.byteLength(text)),
        }),
        ...headers,
      },
      ...(text !== undefined && { body: text }),
    });
    expectDescribed(method, path, response);
    return response;
  }

  return { ...opened, ...server, database, request, logged };
}

/** The same with its first admin and a viewer, and tokens of theirs. */
export async function openServerWithPeople(place: Place, options: Partial<TeamAppOptions> = {}) {
  const server = await openTestServer(place, options);
  const ada = await setUp(server.access);
  const viewer = await join(server.access, ada.by, bob, "viewer");
  const tokenWith = async (...scopes: Scope[]) =>
    (await server.access.tokens.create(ada.by, { name: "test", scopes, days: 1 }, home)).secret;
  return { ...server, ada, token: ada.pair.accessToken, viewerToken: viewer.pair.accessToken, tokenWith };
}

/** Opens servers, each on its own store, which is removed after the test file. */
export function serverOpener() {
  const folder = temporaryFolder();
  let stores = 0;
  return (options: Partial<TeamAppOptions> = {}) =>
    openServerWithPeople({ file: `${folder()}/${++stores}/forge.db` }, options);
}
