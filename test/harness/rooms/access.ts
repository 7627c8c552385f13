import { onTestFinished } from "vitest";
import type { Origin, Role, SignedIn } from "../../../src/commons/people.ts";
import { type Database, openDatabase } from "../../../src/platform/db/database.ts";
import type { Place } from "../../../src/platform/db/types.ts";
import type { NewPerson, TokenPair } from "../../../src/rooms/access/model/model.ts";
import { type Access, makeAccess } from "../../../src/rooms/access/service/access.ts";
import type { AccessTables } from "../../../src/rooms/access/store/schema.ts";
import { migrations } from "../db/all-migrations.ts";

/** A clock that only tests move. */
export class TestClock {
  #now = Date.UTC(2026, 0, 31, 12);

  readonly now = () => this.#now;

  /** The waits of sign-ins, in seconds; time passes with them. */
  readonly waits: number[] = [];

  readonly pause = async (ms: number): Promise<void> => {
    this.waits.push(ms / 1000);
    this.#now += ms;
  };

  pass(seconds: number): void {
    this.#now += seconds * 1000;
  }
}

export type OpenAccess<Clock = TestClock> = { access: Access; clock: Clock; database: Database<AccessTables> };
export type SignedInPerson = { by: SignedIn; pair: TokenPair; cookie: string };

/** Cheap password hashing; the real one costs a thousand times as much. */
const cheap = { N: 1024, r: 8, p: 1 };

export const home: Origin = { address: "192.0.2.1", agent: "Firefox" };
export const ada: NewPerson = { email: "ada@example.com", displayName: "Ada", password: "correct horse" };
export const bob: NewPerson = { email: "bob@example.com", displayName: "Bob", password: "battery staple" };

/** Access on its own store; closed after the test. */
export function openAccess(place: Place): OpenAccess;
export function openAccess<Clock extends Pick<TestClock, "now">>(place: Place, clock: Clock): OpenAccess<Clock>;
export function openAccess(
  place: Place,
  clock: Pick<TestClock, "now"> & Partial<Pick<TestClock, "pause">> = new TestClock(),
) {
  const database = openDatabase(place, migrations);
  onTestFinished(() => database.close());
  const access = makeAccess({
    database,
    now: clock.now,
    passwordCost: cheap,
    ...(clock.pause && { pause: clock.pause }),
  });
  return { access, clock, database: database.forTables<AccessTables>() };
}

/** The first admin, signed in on a device. */
export async function setUp(access: Access): Promise<SignedInPerson> {
  await access.registration.setUp((await access.registration.setupCode()) ?? "", ada, "Acme", home);
  return login(access, ada);
}

/** A user who has accepted the admin's invitation, signed in on a device. */
export async function join(access: Access, admin: SignedIn, person: NewPerson, role: Role) {
  const { code } = await access.invitations.create(admin, { role }, home);
  await access.registration.accept(code, person, home);
  return login(access, person, admin.team.id);
}

export async function login(access: Access, person: NewPerson, teamId?: string): Promise<SignedInPerson> {
  const { cookie } = await access.signIn.withPassword(person.email, person.password, home);
  const { deviceCode, userCode } = await access.devices.request("forge", home);
  await access.devices.decide(cookie, userCode, "approve", home);
  const pair = await access.devices.redeem(deviceCode, home);
  if ("refusal" in pair) throw new Error(pair.refusal);
  const by = await access.tokens.authenticate(pair.accessToken, teamId);
  if (!by) throw new Error("a fresh token speaks for nobody");
  return { by, pair, cookie };
}
