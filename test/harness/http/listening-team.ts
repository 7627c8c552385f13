import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { serveTeam } from "../../../src/app/server/server.ts";
import { Redactor } from "../../../src/kernel/text/redactor.ts";
import { realPlace } from "../../../src/platform/files/real-place.ts";
import { findProject } from "../../../src/platform/state/project.ts";
import { allScopes } from "../../../src/rooms/access/model/roles.ts";
import type { CliProject } from "../cli/cli.ts";
import { temporaryFolder } from "../db/store.ts";
import { ada, bob, home, join as joinTeam, openAccess, type SignedInPerson, setUp } from "../rooms/access.ts";

/** A team server on its own port, with Ada as its admin. */
export function teamStarter() {
  const folder = temporaryFolder();
  let servers = 0;
  return async () => {
    const dataDir = join(folder(), String(++servers));
    const server = await serveTeam({
      settings: { databaseUrl: undefined, ledgerDays: 90 },
      dataDir,
      address: { port: 0 },
      redactor: new Redactor(),
      log: () => undefined,
    });
    onTestFinished(() => server.close());
    // The server's own store, with passwords that cost less than real ones. Its clock is the real one.
    const { access } = openAccess({ file: join(dataDir, "forge.db") }, { now: Date.now });
    const admin = await setUp(access);
    const tokenOf = async ({ by }: SignedInPerson) =>
      (await access.tokens.create(by, { name: "test", scopes: allScopes, days: 1 }, home)).secret;
    return {
      url: server.url,
      access,
      admin,
      /** The environment of a program that uses the sign-in of a person. */
      envOf: ({ pair }: SignedInPerson) => ({ FORGE_API_URL: `${server.url}/api`, FORGE_TOKEN: pair.accessToken }),
      /** The environment of a program that uses an API token. */
      envWithToken: async (person: SignedInPerson) => ({
        FORGE_API_URL: `${server.url}/api`,
        FORGE_TOKEN: await tokenOf(person),
      }),
      join: () => joinTeam(access, admin.by, bob, "member"),
      /** What `forge login` saves. */
      saveSignIn: (project: CliProject, { pair }: SignedInPerson = admin) => saveSignIn(project, server.url, pair),
    };
  };
}

export type ListeningTeam = Awaited<ReturnType<ReturnType<typeof teamStarter>>>;

/** As `forge login` saves it, in the home of a project's user. */
export function saveSignIn({ home: folder, root }: CliProject, url: string, pair: SignedInPerson["pair"]): void {
  const { accessToken, refreshToken, expiresAt, user, team } = pair;
  const login = {
    ...{ accessToken, refreshToken, expiresAt, userId: user.id, teamId: team.id, apiUrl: `${url}/api` },
    user: { email: user.email, displayName: user.displayName },
  };
  mkdirSync(join(folder, ".forge"), { mode: 0o700, recursive: true });
  writeFileSync(join(folder, ".forge", "config.json"), JSON.stringify(login), { mode: 0o600 });
  saveLink(folder, root, login);
}

export { ada };

/** As `forge link` saves it. */
export function saveLink(home: string, cwd: string, { apiUrl, teamId }: { apiUrl: string; teamId: string }): void {
  const project = realPlace(dirname(findProject(cwd).stateDir));
  const link = { api: apiUrl, team: teamId, at: "2026-03-01T10:00:00.000Z" };
  writeFileSync(join(home, ".forge", "links.json"), JSON.stringify({ projects: { [project]: link } }), { mode: 0o600 });
}
