import type { Selectable } from "kysely";
import type { Origin } from "../../../commons/people.ts";
import { type CodeSource, type Lockouts, userCodeLimits } from "../identity/lockouts.ts";
import type { Sessions } from "../identity/sessions.ts";
import { lockedOut, needsSession, notInTeam, notInvited, wrongUserCode } from "../model/errors.ts";
import { shortenText } from "../model/fields.ts";
import type { BrowserSession, DeviceRefusal, DeviceRequest, PendingDevice, TokenPair } from "../model/model.ts";
import { signInScopes } from "../model/roles.ts";
import type { Audit } from "../service/audit.ts";
import type { AccessTables } from "../store/schema.ts";
import type { AccessStore, Tx } from "../store/store.ts";
import type { Grants } from "./grants.ts";
import { canonicalUserCode, hashOf, isDeviceCode, newDeviceCode, newUserCode, sameHash } from "./secrets.ts";

const lifetimeSeconds = 300;
const firstIntervalSeconds = 5;
const slowerBySeconds = 5;

/** A poll sent in time may overtake the one before on its way. */
const leewayMs = 500;
/** So long a code that has expired is still known for that. */
const rememberedMs = 60 * 60_000;
const maxClientLength = 100;

type DeviceRow = Selectable<AccessTables["access_device"]>;
type Answer = TokenPair | { refusal: DeviceRefusal; interval?: number };

/** Signing in on a device without a browser, by RFC 8628. */
export class Devices {
  readonly #store: AccessStore;
  readonly #grants: Grants;
  readonly #sessions: Sessions;
  readonly #lockouts: Lockouts;
  readonly #audit: Audit;

  constructor(store: AccessStore, grants: Grants, sessions: Sessions, lockouts: Lockouts, audit: Audit) {
    this.#store = store;
    this.#grants = grants;
    this.#sessions = sessions;
    this.#lockouts = lockouts;
    this.#audit = audit;
  }

  async request(client: string, from: Origin, team?: string): Promise<DeviceRequest> {
    const now = this.#store.now();
    const [deviceCode, userCode] = [newDeviceCode(), newUserCode()];
    const row = {
      hash: hashOf(deviceCode),
      user_code_hash: hashOf(userCode),
      client: shortenText(client, maxClientLength) || "a device",
      address: shortenText(from.address),
      requested_at: now,
      expires_at: now + lifetimeSeconds * 1000,
      interval_s: firstIntervalSeconds,
      polled_at: null,
      state: "waiting",
      user_id: null,
      team_id: null,
      wished_team: shortenText(team ?? "", maxClientLength) || null,
    };
    await this.#store.database.transaction(async (tx) => {
      await tx
        .deleteFrom("access_device")
        .where("expires_at", "<", now - rememberedMs)
        .execute();
      await tx.insertInto("access_device").values(row).execute();
    });
    return { deviceCode, userCode, expiresIn: lifetimeSeconds, interval: firstIntervalSeconds };
  }

  /** `cookie`: of the person who typed the code or opened its link. */
  async findPending(
    userCode: string,
    cookie: string,
    source: CodeSource = "typed",
  ): Promise<PendingDevice | undefined> {
    if (userCode.trim() === "") return undefined;
    const session = await this.#store.database.read((db) => this.#sessions.find(db, cookie));
    if (!session) throw needsSession();
    const row = await this.#guess(userCode, { ...session, source }, async (_tx, device) => device);
    return (
      row && {
        client: row.client,
        address: row.address,
        requestedAt: new Date(row.requested_at).toISOString(),
        scopes: signInScopes,
        ...(row.wished_team !== null && { team: row.wished_team }),
      }
    );
  }

  async decide(
    cookie: string,
    userCode: string,
    decision: "approve" | "deny",
    from: Origin,
    teamId?: string,
  ): Promise<void> {
    const session = await this.#store.database.read((db) => this.#sessions.find(db, cookie));
    if (!session) throw needsSession();
    const { user } = session;
    const decided = await this.#guess(userCode, { ...session, source: "typed" }, async (tx, device) => {
      if (!(await this.#sessions.find(tx, cookie))) throw notInvited();
      const chosen = decision === "deny" ? {} : { id: teamId, slug: device.wished_team ?? undefined };
      const team = await this.#teamFor(tx, user.id, chosen);
      const state = decision === "approve" ? "approved" : "denied";
      await tx
        .updateTable("access_device")
        .set({ state, user_id: user.id, team_id: team })
        .where("hash", "=", device.hash)
        .execute();
      await this.#audit.add(tx, [team], from, {
        actor: user.email,
        action: `device.${state}`,
        target: user.id,
        details: { client: device.client, deviceAddress: device.address },
      });
      return device;
    });
    if (!decided) throw wrongUserCode();
  }

  async #teamFor(tx: Tx, userId: string, { id, slug }: { id?: string | undefined; slug?: string | undefined }) {
    const teams = await this.#store.teamsOf(tx, userId);
    const [first] = teams;
    if (first === undefined) throw notInvited();
    if (id === undefined && slug === undefined) return first;
    for (const team of teams) {
      const isWanted = id === undefined ? (await this.#store.team(tx, team))?.slug === slug : team === id;
      if (isWanted) return team;
    }
    throw notInTeam(id ?? slug ?? "");
  }

  async redeem(deviceCode: string, from: Origin): Promise<Answer> {
    if (!isDeviceCode(deviceCode)) return { refusal: "invalid_device_code" };
    const hash = hashOf(deviceCode);
    return this.#store.database.transaction(async (tx): Promise<Answer> => {
      const device = await tx.selectFrom("access_device").selectAll().where("hash", "=", hash).executeTakeFirst();
      if (!device || !sameHash(device.hash, hash)) return { refusal: "invalid_device_code" };
      if (device.state === "denied") return { refusal: "access_denied" };
      if (device.state === "used" || device.expires_at <= this.#store.now()) return { refusal: "expired_token" };
      return device.state === "approved" ? this.#signIn(tx, device, from) : this.#wait(tx, device);
    });
  }

  /** One transaction for looking and counting: guesses at the same time count as those one after another. */
  async #guess(
    typed: string,
    { cookie, user, source }: Pick<BrowserSession, "cookie" | "user"> & { source: CodeSource },
    found: (tx: Tx, device: DeviceRow) => Promise<DeviceRow>,
  ): Promise<DeviceRow | undefined> {
    const limits = userCodeLimits(cookie, user.id, source);
    const { left, device } = await this.#store.database.transaction(async (tx) => {
      const leftMs = await this.#lockouts.leftMs(tx, limits);
      if (leftMs > 0) return { left: leftMs, device: undefined };
      const row = await this.#findUndecided(tx, typed);
      if (row) return { left: 0, device: await found(tx, row) };
      await this.#lockouts.count(tx, limits);
      return { left: 0, device: undefined };
    });
    if (left > 0) throw lockedOut(left);
    return device;
  }

  #findUndecided(tx: Tx, typed: string): Promise<DeviceRow | undefined> {
    const code = canonicalUserCode(typed);
    if (code === undefined) return Promise.resolve(undefined);
    return tx
      .selectFrom("access_device")
      .selectAll()
      .where("user_code_hash", "=", hashOf(code))
      .where("state", "=", "waiting")
      .where("expires_at", ">", this.#store.now())
      .executeTakeFirst();
  }

  async #wait(tx: Tx, { hash, polled_at, interval_s }: DeviceRow): Promise<Answer> {
    const now = this.#store.now();
    const sinceMs = polled_at === null ? Number.POSITIVE_INFINITY : now - polled_at;
    // Before the last poll: the server's clock was set back, for which the device can do nothing.
    const isEarly = sinceMs >= 0 && sinceMs < interval_s * 1000 - leewayMs;
    const interval = isEarly ? interval_s + slowerBySeconds : interval_s;
    await tx
      .updateTable("access_device")
      .set({ polled_at: now, interval_s: interval })
      .where("hash", "=", hash)
      .execute();
    return isEarly ? { refusal: "slow_down", interval } : { refusal: "authorization_pending", interval };
  }

  async #signIn(tx: Tx, device: DeviceRow, from: Origin): Promise<Answer> {
    await tx.updateTable("access_device").set({ state: "used" }).where("hash", "=", device.hash).execute();
    const [userId, teamId] = [device.user_id ?? "", device.team_id ?? ""];
    const member = await this.#store.member(tx, teamId, userId);
    const team = await this.#store.team(tx, teamId);
    if (!member || !team) return { refusal: "access_denied" };
    const grant = await this.#grants.add(tx, {
      kind: "sign-in",
      userId,
      teamId,
      name: device.client,
      scopes: signInScopes,
      expiresAt: undefined,
    });
    const { generation, ...pair } = await this.#grants.issuePair(tx, grant);
    const { user } = member;
    await this.#audit.add(tx, [teamId], from, {
      actor: user.email,
      action: "device.signed-in",
      target: grant.id,
      details: { client: device.client },
    });
    return { ...pair, user, team };
  }
}
