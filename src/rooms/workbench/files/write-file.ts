import { diffLines, type LineDiff } from "../../../commons/diff/line-diff.ts";
import type { Call } from "../../../kernel/calls/call.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { decodeText } from "../../../platform/files/decode-text.ts";
import { assertChangeable } from "../../../platform/files/protected-names.ts";
import { conflict } from "../../../platform/files/root/expectations.ts";
import { sha256Of } from "../../../platform/files/root/read-all.ts";
import { showPath } from "../../../platform/files/root/relative-path.ts";
import type { FileContent, SafeRoot } from "../../../platform/files/root/safe-root.ts";
import type { Executions } from "../executions/executions.ts";
import { reportStage } from "../executions/timeline/report-progress.ts";
import type { Execution, Workspace } from "../model/execution-model.ts";
import type { WorkbenchServices } from "../model/services.ts";
import { refuseDependencies } from "./dependency-folders.ts";
import { loneSurrogate, redactedContent } from "./errors.ts";
import { readPathStatus } from "./path-status.ts";
import type { WrittenFile } from "./schemas.ts";

/** What the file tools need of the workbench. */
export type FileServices = Pick<WorkbenchServices, "git" | "redactor"> & {
  executions: Pick<
    Executions,
    | "openWorkspace"
    | "openWorkspaceOrProject"
    | "requireWritable"
    | "requireAllowed"
    | "hasForeignChanges"
    | "appendEvents"
  >;
};

/** A file that may be written, with its current content. */
export type WriteTarget = {
  workspace: Workspace;
  execution: Execution;
  path: string;
  old: FileContent | undefined;
  hasForeignChanges: boolean;
};

/** Opens a file for writing: in the caller's execution, and as the caller expects it. */
export async function openTarget(
  { executions }: FileServices,
  call: Call,
  path: string,
  given: { execution_id?: string | undefined; expected_sha256?: string | undefined },
): Promise<WriteTarget> {
  assertChangeable(path.split("/"));
  refuseDependencies(path);
  const workspace = await executions.openWorkspace(call, given.execution_id);
  const execution = await executions.requireWritable(workspace, path, call.signal);
  const old = await readIfPresent(workspace.files, path);
  const { expected_sha256: sha256 } = given;
  if (sha256 !== undefined && old?.sha256 !== sha256.toLowerCase()) {
    const what = old ? "has changed since it was read" : "no longer exists";
    throw conflict(path, what, { expected: { sha256 }, ...(old && { currentSha256: old.sha256 }) });
  }
  const hasForeignChanges =
    old !== undefined && (await executions.hasForeignChanges(execution, { path, sha256: old.sha256 }, call.signal));
  return { workspace, execution, path, old, hasForeignChanges };
}

async function readIfPresent(files: SafeRoot, path: string): Promise<FileContent | undefined> {
  try {
    return await files.read(path);
  } catch (error) {
    const isAbsent = error instanceof ForgeError && error.code === "NOT_FOUND";
    if (isAbsent) return undefined;
    throw error;
  }
}

export type FileChange = { bytes: Buffer; purpose: string | undefined; warnings: string[] };

/** Writes the new content, records it in the execution, and reads the file's git status. */
export async function writeTarget(
  { executions, git }: FileServices,
  call: Call,
  { workspace, execution, path, old, hasForeignChanges }: WriteTarget,
  { bytes, purpose, warnings }: FileChange,
): Promise<WrittenFile> {
  const isSame = old?.bytes.equals(bytes) ?? false;
  const action = isSame ? "unchanged" : old ? "modified" : "created";
  const { added: linesAdded = 0, removed: linesRemoved = 0 } = diffBytes(old?.bytes, bytes) ?? {};
  reportStage(call, execution, 0, "implementing", `Writing ${showPath(path)}`, [path]);
  if (action !== "unchanged") {
    await executions.requireAllowed(call, execution, { path, sha256: sha256Of(bytes) });
    // A change that someone made in the last moment is not overwritten.
    await workspace.files.write(path, bytes, old ? { sha256: old.sha256 } : { state: "absent" });
    const sha256 = hasForeignChanges ? "" : sha256Of(bytes);
    const file = { path, action, linesAdded, linesRemoved, via: "forge", sha256 } as const;
    await executions.appendEvents(call, execution, { kind: "file", file, purpose });
  }
  const status = await readStatus(git, workspace, path, call);
  return {
    status: "success",
    file_path: path,
    action,
    lines_added: linesAdded,
    lines_removed: linesRemoved,
    sha256: sha256Of(bytes),
    git_status: status.known ?? (action === "created" ? "new file" : action),
    execution_id: execution.id,
    ...withWarnings([...warnings, ...status.warnings]),
  };
}

/** The bytes of a text. Half a character would silently become another one. */
export function encodeText(path: string, text: string): Buffer {
  if (!/\p{Cs}/u.test(text)) return Buffer.from(text);
  throw loneSurrogate(path);
}

/** Undefined if one of the two is not text. */
function diffBytes(before: Buffer | undefined, after: Buffer): LineDiff | undefined {
  const [old, now] = [tryDecode(before ?? Buffer.alloc(0)), tryDecode(after)];
  return old === undefined || now === undefined ? undefined : diffLines(old, now);
}

export function tryDecode(bytes: Buffer): string | undefined {
  try {
    return decodeText(bytes, "").text;
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    return undefined;
  }
}

/** The file is written, so a failure of git is only a warning. */
async function readStatus(git: FileServices["git"], { path: folder }: Workspace, path: string, call: Call) {
  try {
    const found = await readPathStatus(git, folder, path, call.signal);
    if (found !== "ignored") return { known: found, warnings: [] };
    return { known: undefined, warnings: ["git ignores this file, so it will not be committed."] };
  } catch (error) {
    call.signal.throwIfAborted();
    if (error instanceof ForgeError && error.code === "CANCELLED") throw error;
    return { known: undefined, warnings: ["The file is written, but its git status is unknown."] };
  }
}

function withWarnings(warnings: string[]): { warnings?: string[] } {
  return warnings.length === 0 ? {} : { warnings };
}

/** Throws if the text contains a placeholder for a secret. */
export function refuseRedactions(path: string, old: string, content: string): void {
  const count = (text: string) => text.match(/\[redacted(?: [a-z-]{1,40})?\]/g)?.length ?? 0;
  if (count(content) > count(old)) throw redactedContent(path);
}
