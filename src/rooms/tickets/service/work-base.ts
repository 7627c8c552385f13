import { ForgeError } from "../../../kernel/errors.ts";
import type { Repository } from "../../../platform/git/git.ts";
import type { ChangeRecord, WorkBase } from "../model/ticket.ts";
import type { RepositoryServices } from "./tickets.ts";

const maxFiles = 500;

/** The current branch and commit; empty if there is no repository that can be read. */
export async function readWorkBase(services: RepositoryServices, signal: AbortSignal): Promise<WorkBase> {
  const repository = openRepository(services);
  if (!repository) return {};
  const { branch } = await repository.status(0, signal);
  const commit = await repository.resolveCommit("HEAD", signal);
  return { ...(branch !== undefined && { branch }), ...(commit !== undefined && { commit }) };
}

/** What changed since work started, according to git. */
export async function readWorkSince(
  services: RepositoryServices,
  { commit }: WorkBase,
  signal: AbortSignal,
): Promise<Pick<ChangeRecord, "filesChanged" | "branch" | "commit">> {
  const repository = openRepository(services);
  if (!repository) return { filesChanged: [] };
  const now = await readWorkBase(services, signal);
  const from = commit === undefined ? undefined : await repository.resolveCommit(commit, signal);
  const filesChanged = from === undefined ? [] : await repository.changedSince(from, maxFiles, signal);
  return { filesChanged, ...now };
}

/** Tickets work without git; only what git would know is missing then. */
function openRepository({ git, cwd }: RepositoryServices): Repository | undefined {
  try {
    return git.open(cwd);
  } catch (error) {
    if (error instanceof ForgeError) return undefined;
    throw error;
  }
}
