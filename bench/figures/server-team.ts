import { Leases } from "../../src/commons/leases/index.ts";
import { Ledger, TeamLedger } from "../../src/commons/ledger/index.ts";
import type { SignedIn } from "../../src/commons/people.ts";
import { Redactor } from "../../src/kernel/text/redactor.ts";
import { openDatabase } from "../../src/platform/db/database.ts";
import type { Place } from "../../src/platform/db/types.ts";
import { type Access, makeAccess } from "../../src/rooms/access/service/access.ts";
import { LocalTickets } from "../../src/rooms/tickets/service/local-tickets.ts";
import { migrations } from "../../test/harness/db/all-migrations.ts";
import { importTickets } from "../ticket-store.ts";

const here = { address: "127.0.0.1" };
const admin = { email: "ada@example.com", displayName: "Ada", password: "correct horse battery" };

/** A team with this many tickets. Returns a token. */
export async function makeTeam(place: Place, tickets: number): Promise<string> {
  const database = openDatabase<unknown>(place, migrations);
  try {
    const access = makeAccess({ database });
    const ada = await firstAdmin(access);
    const ledger = new Ledger({ database, redactor: new Redactor(), log: () => undefined });
    const team = ada.team.id;
    const room = new LocalTickets({
      database,
      ledger: new TeamLedger(ledger, team),
      leases: new Leases(database),
      team,
    });
    await importTickets(room, tickets);
    await room.stop();
    await ledger.stop();
    const wanted = { name: "bench", scopes: ["tickets:read", "tickets:write"] as const, days: 1 };
    return (await access.tokens.create(ada, wanted, here)).secret;
  } finally {
    await database.close();
  }
}

async function firstAdmin(access: Access): Promise<SignedIn> {
  await access.registration.setUp((await access.registration.setupCode()) ?? "", admin, "Acme", here);
  const { cookie } = await access.signIn.withPassword(admin.email, admin.password, here);
  const { deviceCode, userCode } = await access.devices.request("bench", here);
  await access.devices.decide(cookie, userCode, "approve", here);
  const pair = await access.devices.redeem(deviceCode, here);
  const signedIn = "refusal" in pair ? undefined : await access.tokens.authenticate(pair.accessToken, undefined);
  if (!signedIn) throw new Error("the first admin could not sign in");
  return signedIn;
}
