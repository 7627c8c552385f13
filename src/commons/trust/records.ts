import { createHash } from "node:crypto";
import { join } from "node:path";
import * as z from "zod";
import { tryParseJson } from "../../kernel/json.ts";
import { readPrivateFile, removePrivateFile, writePrivateFile } from "../../platform/files/write/private-file.ts";
import { userPath } from "../../platform/host/user-folder.ts";
import { identifyFolder, isSameEntry } from "../../platform/state/entry-identity.ts";
import { networkId } from "../test-runs/project/workbench-file.ts";
import { unreadableRecord } from "./errors.ts";

const record = z.object({
  version: z.literal(1),
  project: z.string(),
  since: z.iso.datetime(),
  by: z.string(),
  /** What may run, as sha256 by id. */
  approved: z.record(z.string(), z.string().length(64)),
  /** What was approved before, the newest first. */
  earlier: z.record(z.string(), z.array(z.string().length(64))).optional(),
  /** Which folder had the project's path; absent in records of earlier versions. */
  folder: z.object({ number: z.string(), createdAt: z.string().optional() }).optional(),
});

export type TrustRecord = Omit<z.output<typeof record>, "version" | "folder">;

const maxEarlier = 20;
const maxEarlierIds = 1_000;

/** Whether a person has approved this content under this name. */
export function isApproved(record: TrustRecord, { id, sha256 }: { id: string; sha256: string }): boolean {
  return record.approved[id] === sha256 || (record.earlier?.[id]?.includes(sha256) ?? false);
}

/** Git runs it, and whatever it is, only the newest counts. */
export function isOfGit(id: string): boolean {
  return /^(?:hook|git|git-config):/.test(id);
}

/**
 * What stays approved beside the new content: another work tree, or the commit before a change, still has what was approved
 * before. Hooks, git's configuration and the network are the same for all of them, so there only the newest counts.
 */
export function keepEarlier(before: TrustRecord, approved: Record<string, string>): Record<string, string[]> {
  const ids = new Set([...Object.keys(before.approved), ...Object.keys(before.earlier ?? {})]);
  const kept = [...ids]
    .filter((id) => !isOfGit(id) && id !== networkId)
    .map((id): [string, string[]] => {
      const last = before.approved[id];
      const all = new Set([...(last === undefined ? [] : [last]), ...(before.earlier?.[id] ?? [])]);
      return [id, [...all].filter((sha256) => sha256 !== approved[id]).slice(0, maxEarlier)];
    });
  return Object.fromEntries(kept.filter(([, list]) => list.length > 0).slice(0, maxEarlierIds));
}

/**
 * What the user trusts, one file per project in `~/.forge/trust`. One each, and replaced as a whole: processes that write at
 * the same time cannot lose each other's.
 */
export class TrustRecords {
  readonly folder: string;

  constructor(folder = userPath("trust")) {
    this.folder = folder;
  }

  /** Undefined too where another folder has the project's path by now: a second clone there is another project. */
  async read(project: string): Promise<TrustRecord | undefined> {
    const file = this.#file(project);
    const content = await readPrivateFile(file);
    if (content === undefined) return undefined;
    const parsed = record.safeParse(tryParseJson(content.toString()));
    if (!parsed.success || parsed.data.project !== project) throw unreadableRecord(file, project);
    const { folder, ...given } = parsed.data;
    const now = identifyFolder(project);
    return folder && now && !isSameEntry(folder, now) ? undefined : given;
  }

  async write(given: TrustRecord): Promise<void> {
    const value = { version: 1, ...given, folder: identifyFolder(given.project) };
    await writePrivateFile(this.#file(given.project), `${JSON.stringify(value, null, 2)}\n`);
  }

  remove(project: string): Promise<boolean> {
    return removePrivateFile(this.#file(project));
  }

  #file(project: string): string {
    return join(this.folder, `${createHash("sha256").update(project).digest("hex").slice(0, 32)}.json`);
  }
}
