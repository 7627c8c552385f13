import { isRecord, tryParseRecord } from "../../../../kernel/json.ts";
import { recordIn, textIn } from "../definitions/field-values.ts";
import type { Fields } from "../types.ts";

/** Where fields are kept that a client's form has no place for; its metadata are texts only. */
const key = "fractary";

/** Metadata that carry the fields along. */
export function keepFields(metadata: Fields, fields: Fields): Fields {
  return Object.keys(fields).length === 0 ? metadata : { ...metadata, [key]: JSON.stringify(fields) };
}

/** The fields as they were before an export; what a person changed since in the client's own fields counts more. */
export function restoreFields(fields: Fields): Fields {
  const metadata = recordIn(fields, "metadata");
  const kept = metadata && textIn(metadata, key);
  const parsed = kept === undefined ? undefined : tryParseRecord(kept);
  if (!parsed || !isRecord(parsed["own"]) || !isRecord(parsed["as"])) return fields;
  const [own, written] = [parsed["own"], parsed["as"]];
  const { metadata: _, ...rest } = fields;
  const changed = Object.entries(rest).filter(
    ([name, value]) => JSON.stringify(written[name]) !== JSON.stringify(value),
  );
  return { ...own, ...Object.fromEntries(changed) };
}
