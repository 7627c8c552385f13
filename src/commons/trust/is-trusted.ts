import { ForgeError } from "../../kernel/errors.ts";
import { locateTrustPlace, requireOutside } from "./place.ts";
import { TrustRecords } from "./records.ts";

/**
 * Whether the user has trusted the project: its text then counts as the user's own, until they take trust back. A script that
 * has changed since asks again only before it is run.
 */
export async function isTrusted(root: string, records = new TrustRecords()): Promise<boolean> {
  try {
    // Most projects have no record, and every prompt asks.
    const place = locateTrustPlace(root);
    if ((await records.read(place.project)) === undefined) return false;
    requireOutside(place, records.folder);
    return true;
  } catch (error) {
    if (error instanceof ForgeError) return false;
    throw error;
  }
}
