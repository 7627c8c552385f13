import { ForgeError } from "../../../../kernel/errors.ts";
import { inspectPostgres, inspectSqlite } from "../../../../platform/db/sqlite/inspect.ts";
import { entryAt } from "../../../../platform/files/entry.ts";
import { markedVersions } from "../../../../platform/state/marks.ts";
import type { Check, Seen, World } from "../model.ts";

/**
 * Opens it, has SQLite check the file, and compares its schema with the one this program knows. Changes nothing; of a damaged
 * one a copy is kept.
 */
export const store: Check = {
  id: "store",
  title: "Store",
  async look({ databaseUrl, project: { stateDir, databaseFile }, knownSchema }) {
    if (databaseUrl !== undefined) return undefined;
    const folder = entryAt(stateDir);
    if (!folder) return { state: "ok", message: "Nothing is kept yet; the first call makes the database." };
    if (!folder.isDirectory()) throw wrongKind(stateDir, "folder");
    const file = entryAt(databaseFile);
    if (!file && !entryAt(`${databaseFile}-wal`)?.size) {
      return { state: "ok", message: "Nothing is kept yet; the first call makes the database." };
    }
    if (file && !file.isFile()) throw wrongKind(databaseFile, "file");
    const { schema, journalMode } = await inspectSqlite(databaseFile);
    const seen = schemaFinding(schema, knownSchema, databaseFile);
    if (seen.state === "ok" && journalMode !== "wal") {
      return {
        state: "warning",
        message: `${databaseFile} is not in WAL mode (it is ${journalMode}), so readers and writers wait for each other.`,
        mend: ["The next call that uses it switches it back; if it stays so, look what else opens the file."],
      };
    }
    return seen;
  },
};

function wrongKind(path: string, expected: string): ForgeError {
  return new ForgeError("STORE_ERROR", `${path} is no plain ${expected}, so Forge keeps nothing there.`, {
    next: [`Move it to another name; Forge then makes its own ${expected}.`],
  });
}

function schemaFinding(schema: number, known: number, place: string): Seen {
  if (schema > known) {
    return {
      state: "problem",
      message: `${place} was written by a newer Forge (schema ${schema}; this one knows ${known}).`,
      mend: ["Update Forge, the way it was installed here; in a clone: git pull && npm ci && npm run build."],
    };
  }
  const pending = known - schema;
  const steps = pending === 1 ? "one step" : `${pending} steps`;
  const later = pending > 0 ? ` The next call brings its schema up to date (${steps}).` : "";
  return { state: "ok", message: `${place} is sound.${later}` };
}

const farthestClockMs = 30_000;

export const database: Check = {
  id: "database",
  title: "PostgreSQL",
  async look({ databaseUrl, knownSchema, now }) {
    if (databaseUrl === undefined) return undefined;
    const before = now();
    const facts = await inspectPostgres(databaseUrl);
    const seen = schemaFinding(facts.schema ?? 0, knownSchema, `The database at ${facts.shown}`);
    // The answer took some time to come; only what is beyond that counts.
    const apart = Math.max(before - facts.now, facts.now - now());
    return seen.state === "ok" && apart > farthestClockMs ? wrongClock(apart) : seen;
  },
};

function wrongClock(apartMs: number): Seen {
  return {
    state: "warning",
    message: `This machine's clock and the database server's are ${Math.round(apartMs / 1000)} s apart; times in the ledger will mislead.`,
    mend: ["Have both machines set their clocks from the network (NTP)."],
  };
}

const recentDays = 14;

/** One that does not know the other's schema steps is refused by the store; better to hear of it before. */
export const versions: Check = {
  id: "versions",
  title: "Versions of Forge",
  async look(world) {
    const others = [...new Set([...ofThisMachine(world), ...(await ofConnections(world))])].sort();
    if (others.length === 0) return { state: "ok", message: `Only this one, ${world.version}.` };
    return {
      state: "warning",
      message: `Besides this one (${world.version}), ${others.join(", ")} used the same database within ${recentDays} days.`,
      mend: ["Update them all to the same version, and restart the assistants that still run an older one."],
    };
  },
};

function ofThisMachine({ project: { stateDir }, version, now }: World): string[] {
  const since = now() - recentDays * 86_400_000;
  return markedVersions(stateDir)
    .filter((mark) => mark.version !== version && mark.lastUsed >= since)
    .map((mark) => mark.version);
}

async function ofConnections({ databaseUrl, version }: World): Promise<string[]> {
  if (databaseUrl === undefined) return [];
  const { programs } = await inspectPostgres(databaseUrl).catch(() => ({ programs: [] as string[] }));
  return programs
    .flatMap((name) => (name.startsWith("forge/") ? [name.slice("forge/".length)] : []))
    .filter((other) => other !== version);
}

const clockSlackMs = 120_000;

/** The database is written all the time: where its file is from the future, the clock was set back. */
export const clock: Check = {
  id: "clock",
  title: "Clock",
  look({ project: { databaseFile }, now }) {
    const written = entryAt(databaseFile)?.mtimeMs;
    if (written === undefined || written <= now() + clockSlackMs) {
      return { state: "ok", message: `It says ${new Date(now()).toISOString()}.` };
    }
    return {
      state: "warning",
      message: `It says ${new Date(now()).toISOString()}, but the store was last written at ${new Date(written).toISOString()}.`,
      mend: ["Set the clock; better, have it set from the network (NTP)."],
    };
  },
};
