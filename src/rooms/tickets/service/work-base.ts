import { ForgeError } from "../../../kernel/errors.ts";
import type { Repository } from "../../../platform/git/git.ts";
import type { ChangeRecord } from "../model/ticket.ts";
import type { RepositoryServices, WorkBase } from "./tickets.ts";

const mostFiles = 500;

/** Where the repository stands now; nothing where there is none that can be read. */
export async function readWorkBase(services: RepositoryServices, signal: AbortSignal): Promise<WorkBase> {
  const repository = open(services);
  if (!repository) return {};
  const { branch } = await repository.status(0, signal);
  const commit = await repository.resolveCommit("HEAD", signal);
  return { ...(branch !== undefined && { branch }), ...(commit !== undefined && { commit }) };
}

/** What git says was done since then. */
export async function readWorkSince(
  services: RepositoryServices,
  { commit }: WorkBase,
  signal: AbortSignal,
): Promise<Pick<ChangeRecord, "filesChanged" | "branch" | "commit">> {
  const repository = open(services);
  if (!repository) return { filesChanged: [] };
  const now = await readWorkBase(services, signal);
  const from = commit === undefined ? undefined : await repository.resolveCommit(commit, signal);
  const filesChanged = from === undefined ? [] : await repository.changedSince(from, mostFiles, signal);
  return { filesChanged, ...now };
}

/** Tickets work without git; only what git would tell is missing then. */
function open({ git, cwd }: RepositoryServices): Repository | undefined {
  try {
    return git.open(cwd);
  } catch (error) {
    if (error instanceof ForgeError) return undefined;
    throw error;
  }
}
