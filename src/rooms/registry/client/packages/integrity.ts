import ssri from "ssri";
import { integrityMismatch } from "../errors.ts";
import { weakIntegrity } from "./errors.ts";

/** Compares content with its published hash. Only sha512 counts; of several hashes the strongest is the one compared. */
export function assertIntegrity(bytes: Uint8Array, expected: string | undefined, what: string): void {
  const published = ssri.parse(expected ?? "", { strict: true });
  if (!published?.["sha512"]) throw weakIntegrity(what, expected);
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (ssri.checkData(content, published) !== false) return;
  throw integrityMismatch(what, expected ?? "", ssri.fromData(content, { algorithms: ["sha512"] }).toString());
}
