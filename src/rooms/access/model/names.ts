import type { AccessStore, Tx } from "../store/store.ts";
import { nameKey } from "./fields.ts";

type Called = { id?: string; email: string; name: string };

/**
 * Whether another member of one of these teams goes by this name: tickets and claims show people by name alone, so nobody
 * can pose as another member by taking their name. An address counts as its owner's name.
 */
export async function isTaken(
  store: AccessStore,
  tx: Tx,
  { id, email, name }: Called,
  teams: readonly string[],
): Promise<boolean> {
  const key = nameKey(name);
  for (const team of new Set(teams)) {
    const others = (await store.members(tx, team)).filter(({ user }) => user.id !== id && user.email !== email);
    if (others.some(({ user }) => nameKey(user.displayName) === key || nameKey(user.email) === key)) return true;
  }
  return false;
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
