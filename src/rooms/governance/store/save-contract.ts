import type { Transaction } from "kysely";
import { contractTooLarge } from "../model/errors.ts";
import { limits } from "../model/limits.ts";
import type { GovernanceTables } from "./schema.ts";

type ContractKey = { team: string; project_id: string; contract_type: string };

/** Returns the new version's number; the same text again is the same version. */
export async function saveContract(
  tx: Transaction<GovernanceTables>,
  key: ContractKey,
  { content, ...made }: { content: string; created_at: number; created_by: string },
): Promise<{ version: number; isNew: boolean }> {
  const size = Buffer.byteLength(content);
  if (size > limits.contract) throw contractTooLarge(`The contract "${key.contract_type}"`, size, limits.contract);
  const latest = await tx
    .selectFrom("governance_contract")
    .select(["version", "content"])
    .where((where) => where.and(key))
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  if (latest?.content === content) return { version: latest.version, isNew: false };
  const version = (latest?.version ?? 0) + 1;
  await tx
    .insertInto("governance_contract")
    .values({ ...key, version, content, ...made })
    .execute();
  return { version, isNew: true };
}
