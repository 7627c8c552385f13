import { join } from "node:path";
import { isRecord } from "../../../../kernel/json.ts";
import { readSmallFile } from "../../../../platform/files/small-file.ts";
import { textIn } from "../definitions/field-values.ts";
import type { PackageFile } from "../packages/package-files.ts";

/** What an installation writes beside a plugin's own files: where they came from. */
type InstallRecord = { name: string; version: string; integrity: string; registry: string; installedAt: string };

const recordFile = ".forge-package.json";
const maxRecordBytes = 65_536;

export function recordOf(record: InstallRecord): PackageFile {
  return { path: recordFile, bytes: Buffer.from(`${JSON.stringify(record, undefined, 2)}\n`), isExecutable: false };
}

/** Undefined for a plugin that came here in another way. */
export function readRecord(folder: string): InstallRecord | undefined {
  try {
    const value: unknown = JSON.parse(readSmallFile(join(folder, recordFile), maxRecordBytes) ?? "null");
    if (!isRecord(value)) return undefined;
    const [name, version, integrity] = [textIn(value, "name"), textIn(value, "version"), textIn(value, "integrity")];
    if (name === undefined || version === undefined || integrity === undefined) return undefined;
    return {
      name,
      version,
      integrity,
      registry: textIn(value, "registry") ?? "",
      installedAt: textIn(value, "installedAt") ?? "",
    };
  } catch {
    return undefined;
  }
}
