import type { Transaction } from "kysely";
import { compareVersions } from "../client/definitions/versions.ts";
import type { RegistryTables } from "./schema.ts";

/** The higher of two versions; a pre-release only counts where there is nothing else. */
export function laterOf(version: string, other: string | null): string {
  if (other === null) return version;
  const [isPre, isOtherPre] = [version.includes("-"), other.includes("-")];
  const isLater = isPre === isOtherPre ? compareVersions(version, other) > 0 : isOtherPre;
  return isLater ? version : other;
}

type Withdrawn = { seq: number; latest: string | null; version: string; isYanked: boolean };

/**
 * The latest version of a package once one was withdrawn or offered again. All are read only where it was the latest: a plugin can
 * have a thousand parts with thousands of versions each, and no other change is made meanwhile.
 */
export async function latestAfterYank(
  tx: Transaction<RegistryTables>,
  { seq, latest, version, isYanked }: Withdrawn,
): Promise<string | null> {
  if (!isYanked) return laterOf(version, latest);
  if (latest !== version) return latest;
  const usable = await tx
    .selectFrom("registry_version")
    .select("version")
    .where("package", "=", seq)
    .where("yanked", "is", null)
    .execute();
  return usable.reduce<string | null>((best, one) => laterOf(one.version, best), null);
}

/** Keeps which version is the latest, and counts the change. */
export async function noteChange(tx: Transaction<RegistryTables>, seq: number, latest: string | null): Promise<void> {
  await tx
    .updateTable("registry_package")
    .set((is) => ({ latest, serial: is("serial", "+", 1), updated_at: Date.now() }))
    .where("seq", "=", seq)
    .execute();
}
