import { type RawName, textOf } from "../names/raw-names.ts";
import { entryNamed } from "../read/entry-named.ts";
import type { GitRunner } from "../run/runner.ts";

const noFile = "000000";
const plainFile = "100644";

/**
 * Those of these files of which somebody has set more than the content: staged as something else than they are, or made a
 * program, or none any more. Committing them would take that along, or away.
 */
export async function findStagedDifferently(
  runner: GitRunner,
  paths: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Set<string>> {
  if (paths.size === 0) return new Set();
  const args = ["--porcelain=v2", "-z", "--no-renames", "--untracked-files=all"];
  const records = await runner.records("status", args, { signal });
  const apart = new Set<string>();
  const programs: string[] = [];
  for (const record of records) {
    const name = readName(record);
    if (name === undefined || !paths.has(textOf(name))) continue;
    if (record.startsWith("? ")) {
      if (((entryNamed(runner, name)?.mode ?? 0) & 0o100) !== 0) programs.push(textOf(name));
    } else if (isStagedDifferently(runner, record, name)) apart.add(textOf(name));
  }
  if (programs.length > 0 && (await hasFileModes(runner, signal))) for (const path of programs) apart.add(path);
  return apart;
}

/** `1 XY sub mHEAD mINDEX mWORKTREE hHEAD hINDEX NAME`, or `? NAME`. */
function readName(record: RawName): RawName | undefined {
  if (record.startsWith("? ")) return record.slice(2);
  return record.startsWith("1 ") ? record.split(" ").slice(8).join(" ") : undefined;
}

function isStagedDifferently(runner: GitRunner, record: RawName, name: RawName): boolean {
  const [, states = "..", , committed = noFile, , here = noFile] = record.split(" ");
  const [staged, since] = states;
  if (staged === "D") return entryNamed(runner, name) !== undefined;
  if (staged !== "." && since !== ".") return true;
  return here !== noFile && here !== (committed === noFile ? plainFile : committed);
}

/** On some file systems every file looks like a program; git is told so there. */
async function hasFileModes(runner: GitRunner, signal: AbortSignal): Promise<boolean> {
  const result = await runner.run("config", ["--includes", "--type=bool", "--get", "core.fileMode"], { signal });
  return result.stdout.toString().trim() !== "false";
}
