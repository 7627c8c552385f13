import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { serveTeam, type TeamServer } from "../../src/app/server/server.ts";
import { Redactor } from "../../src/kernel/text/redactor.ts";
import { type Database, openDatabase } from "../../src/platform/db/database.ts";
import { userName } from "../../src/platform/host/user-name.ts";
import type { TokenPair } from "../../src/rooms/access/model/model.ts";
import { makeAccess } from "../../src/rooms/access/service/access.ts";
import type { AccessTables } from "../../src/rooms/access/store/schema.ts";
import { AccessStore } from "../../src/rooms/access/store/store.ts";
import { migrations } from "../harness/db/all-migrations.ts";
import { saveLink } from "../harness/http/listening-team.ts";
import { home, login } from "../harness/rooms/access.ts";

const cheap = { N: 1024, r: 8, p: 1 };

/** Called on the server what the system calls them here, so that no answer differs by the name. */
const person = { email: "ada@example.com", displayName: userName(), password: "correct horse" };

/** A team's server, as `forge serve` starts it on SQLite, for all tests of a file; every laptop gets a team of its own. */
export function serveOneTeamServer() {
  const folder = mkdtempSync(join(tmpdir(), "forge-room-"));
  let server: TeamServer | undefined;
  let database: Database<AccessTables> | undefined;
  let pair: TokenPair | undefined;
  let teams = 0;

  beforeAll(async () => {
    server = await serveTeam({
      settings: { databaseUrl: undefined, ledgerDays: 30 },
      dataDir: join(folder, "server"),
      address: { port: 0 },
      redactor: new Redactor(),
      log: () => undefined,
    });
    database = openDatabase(place(), migrations).forTables<AccessTables>();
    const access = makeAccess({ database: database.forTables<unknown>(), passwordCost: cheap });
    await access.registration.setUp((await access.registration.setupCode()) ?? "", person, "First", home);
    pair = (await login(access, person)).pair;
  });

  afterAll(async () => {
    await database?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const place = () => ({ file: join(folder, "server", "forge.db") });

  /** Leaves in a home what `forge login` leaves, for a team without tickets. */
  async function signIn(homeFolder: string, cwd: string): Promise<void> {
    if (!server || !database || !pair) throw new Error("the server has not started");
    const { accessToken, refreshToken, user } = pair;
    const store = new AccessStore(database.forTables<unknown>(), Date.now);
    const team = await database.transaction(async (tx) => {
      const made = await store.addTeam(tx, `Team ${++teams}`);
      await store.addMember(tx, made.id, user.id, "admin");
      return made;
    });
    const stored = {
      accessToken,
      refreshToken,
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      userId: user.id,
      teamId: team.id,
      user: { email: person.email, displayName: person.displayName },
      apiUrl: `${server.url}/api`,
    };
    mkdirSync(join(homeFolder, ".forge"), { mode: 0o700 });
    writeFileSync(join(homeFolder, ".forge", "config.json"), JSON.stringify(stored), { mode: 0o600 });
    saveLink(homeFolder, cwd, stored);
  }

  return { signIn };
}
