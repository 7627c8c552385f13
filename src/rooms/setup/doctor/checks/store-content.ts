import { inspectPostgres, inspectSqlite } from "../../../../platform/db/inspect.ts";
import { entryAt } from "../../../../platform/files/entry-at.ts";
import { readVersionMarks } from "../../../../platform/state/marks.ts";
import { wrongKind } from "../../errors.ts";
import type { Check, CheckResult, World } from "../model.ts";

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
    if (!folder) return { state: "ok", message: "not created yet." };
    if (!folder.isDirectory()) throw wrongKind(stateDir, "folder");
    const file = entryAt(databaseFile);
    if (!file && !entryAt(`${databaseFile}-wal`)?.size) {
      return { state: "ok", message: "not created yet." };
    }
    if (file && !file.isFile()) throw wrongKind(databaseFile, "file");
    const { schema, journalMode } = await inspectSqlite(databaseFile);
    const seen = schemaFinding(schema, knownSchema, databaseFile);
    if (seen.state === "ok" && journalMode !== "wal") {
      return {
        state: "warning",
        message: `${databaseFile} is in ${journalMode} mode instead of WAL, so readers and writers block each other.`,
        next: ["Forge switches it back at the next use. If it keeps changing, find out what else opens the file."],
      };
    }
    return seen;
  },
};

function schemaFinding(schema: number, known: number, place: string): CheckResult {
  if (schema > known) {
    return {
      state: "problem",
      message: `${place} was written by a newer version of Forge (schema ${schema}; this one knows ${known}).`,
      next: ["Update Forge the way it was installed; in a clone: git pull && npm ci && npm run build."],
    };
  }
  const pending = known - schema;
  const steps = pending === 1 ? "one step" : `${pending} steps`;
  const later = pending > 0 ? ` Its schema is updated at the next use (${steps}).` : "";
  return { state: "ok", message: `${place} is intact.${later}` };
}

const maxClockDriftMs = 30_000;

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
    return seen.state === "ok" && apart > maxClockDriftMs ? wrongClock(apart) : seen;
  },
};

function wrongClock(apartMs: number): CheckResult {
  return {
    state: "warning",
    message: `The clocks of this machine and the database server differ by ${Math.round(apartMs / 1000)} s; times in the ledger will be wrong.`,
    next: ["Synchronize the clocks of both machines (NTP)."],
  };
}

const recentDays = 14;

/** The store refuses a version that does not know its schema; this warns before that happens. */
export const versions: Check = {
  id: "versions",
  title: "Versions of Forge",
  async look(world) {
    const others = [...new Set([...ofThisMachine(world), ...(await ofConnections(world))])].sort();
    if (others.length === 0) return { state: "ok", message: `Only this one: ${world.version}.` };
    return {
      state: "warning",
      message: `${others.join(", ")} also used this database in the last ${recentDays} days; this is ${world.version}.`,
      next: ["Update all to the same version, and restart assistants that still run an older one."],
    };
  },
};

function ofThisMachine({ project: { stateDir }, version, now }: World): string[] {
  const since = now() - recentDays * 86_400_000;
  return readVersionMarks(stateDir)
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

/** The database is written often: if its file is from the future, the clock was set back. */
export const clock: Check = {
  id: "clock",
  title: "Clock",
  look({ project: { databaseFile }, now }) {
    const written = entryAt(databaseFile)?.mtimeMs;
    if (written === undefined || written <= now() + clockSlackMs) {
      return { state: "ok", message: new Date(now()).toISOString() };
    }
    return {
      state: "warning",
      message: `${new Date(now()).toISOString()}, but the store was last written at ${new Date(written).toISOString()}.`,
      next: ["Set the clock, or synchronize it (NTP)."],
    };
  },
};
