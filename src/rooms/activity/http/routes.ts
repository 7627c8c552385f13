import * as z from "zod";
import type { Ledger } from "../../../commons/ledger/ledger.ts";
import { type LedgerEntry, limits, presentEntry } from "../../../commons/ledger/model.ts";
import type { TeamLedger } from "../../../commons/ledger/team/team-ledger.ts";
import type { People } from "../../../commons/people.ts";
import { defineRoute } from "../../../kernel/definitions/route.ts";
import { errorCodes } from "../../../kernel/errors.ts";
import { wrongTime } from "../errors.ts";
import { activity, relayedEntries } from "../model/activity.ts";
import type { ActivityRouteServices } from "./services.ts";

/** A member can report entries of 60 kB. */
const maxLength = 1_000_000;

export const activityRoute = defineRoute({
  method: "GET",
  path: "/api/activity",
  summary: "List the newest entries of the ledger, oldest first.",
  scope: "activity:read",
  effect: "read",
  names: "none",
  params: z.object({}),
  query: z.object({
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(limits.max)
      .default(limits.defaultCount)
      .describe("Maximum number of entries; fewer are returned if they have more than 1 MB"),
    since: z
      .string()
      .max(40)
      .optional()
      .describe("Only calls since then: an ISO 8601 time, or milliseconds since 1970"),
  }),
  output: activity,
  async run({ ledger, people }: Pick<ActivityRouteServices, "people"> & { ledger: Pick<Ledger, "latest"> }, { query }) {
    const entries = await ledger.latest({ limit: query.limit, since: timeOf(query.since) });
    const names = await namesOf(entries, people);
    const shown = entries.map((entry) => {
      const user = names.get(entry.principal);
      return { ...presentEntry(entry), ...(user !== undefined && { user }) };
    });
    return { entries: newestWithin(maxLength, shown) };
  },
});

/** What was done on laptops, as they report it; the token says who did it. */
const relayRoute = defineRoute({
  method: "POST",
  path: "/api/activity",
  summary: "Add entries of a laptop's ledger to the team's. Entries that are sent again are ignored.",
  scope: "activity:write",
  effect: "add",
  names: "none",
  params: z.object({}),
  query: z.object({}),
  body: relayedEntries,
  output: z.object({ taken: z.number() }),
  async run({ ledger }: { ledger: Pick<TeamLedger, "take"> }, { body }, { principal }) {
    const records = body.entries.map(({ id, at, agent, code, ...entry }) => ({
      ...entry,
      // Another user's call may have the same id; theirs must not be replaced.
      id: `${principal.id}:${id}`.slice(0, 200),
      at: Date.parse(at),
      principal: principal.id,
      agent,
      code: errorCodes.find((known) => known === code),
      committed: true,
    }));
    await ledger.take(records);
    return { taken: records.length };
  },
});

/** Of entries in order of time, so many of the newest as fit; always one. */
function newestWithin<Entry>(length: number, entries: readonly Entry[]): Entry[] {
  let left = length;
  const tooMany = entries.findLastIndex((entry, index) => {
    left -= JSON.stringify(entry).length;
    return left < 0 && index < entries.length - 1;
  });
  return entries.slice(tooMany + 1);
}

export const activityRoutes = [activityRoute, relayRoute];

async function namesOf(entries: readonly LedgerEntry[], people: People): Promise<Map<string, string | undefined>> {
  const ids = [...new Set(entries.map(({ principal }) => principal))];
  return new Map(await Promise.all(ids.map(async (id) => [id, await people.nameOf(id)] as const)));
}

function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isSafeInteger(time)) return time;
  throw wrongTime();
}
