import type { User } from "../../../commons/people.ts";
import { type AccessStore, type Tx, userFromRow } from "../store/store.ts";
import { nameKey } from "./fields.ts";

type Called = { id?: string; email: string; name: string };

/** The audit log's entries after which a team's tickets still show a name that no member has any more; it is in their details. */
const goneNames = ["member.removed", "member.renamed"];

/**
 * Whether another member of one of these teams goes or went by this name: tickets and claims show people by name alone, so
 * nobody can pose as another by taking their name. An address counts as its owner's name.
 */
export async function isTaken(
  store: AccessStore,
  tx: Tx,
  { id, email, name }: Called,
  teams: readonly string[],
): Promise<boolean> {
  const key = nameKey(name);
  for (const team of new Set(teams)) {
    const present = (await store.members(tx, team)).map(({ user }) => user);
    const others = [...present, ...(await findGone(tx, team))].filter((user) => user.id !== id && user.email !== email);
    if (others.some((user) => nameKey(user.displayName) === key || nameKey(user.email) === key)) return true;
  }
  return false;
}

async function findGone(tx: Tx, team: string): Promise<User[]> {
  const rows = await tx
    .selectFrom("access_audit")
    .innerJoin("access_user", "access_user.id", "access_audit.target")
    .select(["access_user.id", "email", "display_name", "details"])
    .where("book", "=", team)
    .where("action", "in", goneNames)
    .execute();
  return rows.map((row) => ({ ...userFromRow(row), displayName: nameIn(row.details) ?? row.display_name }));
}

/** Undefined in entries from before it was kept, and in one that was edited. */
function nameIn(details: string): string | undefined {
  try {
    const { name } = JSON.parse(details) as { name?: unknown };
    return typeof name === "string" ? name : undefined;
  } catch {
    return undefined;
  }
}

/** The name, or where it is taken the name with what tells its owner apart. */
export async function findFreeName(
  store: AccessStore,
  tx: Tx,
  called: Called,
  teams: readonly string[],
): Promise<string> {
  const { name, email } = called;
  const [local = ""] = email.split("@");
  for (const wanted of [name, `${name.slice(0, 100 - local.length - 3)} (${local})`]) {
    if (!(await isTaken(store, tx, { ...called, name: wanted }, teams))) return wanted;
  }
  // Addresses are unique; only a name that poses as this one could be in the way.
  for (let number = 2; ; number++) {
    const wanted = number === 2 ? email : `${email} ${number}`;
    if (!(await isTaken(store, tx, { ...called, name: wanted }, teams))) return wanted;
  }
}
