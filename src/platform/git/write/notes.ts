import { requireCommitId } from "../names/branch-name.ts";
import type { GitRunner } from "../run/runner.ts";

/** Sets Forge's note on a commit, replacing an earlier one. The text goes in as an object, so that it can be of any length. */
export async function setNote(runner: GitRunner, commit: string, text: string, signal: AbortSignal): Promise<void> {
  const id = requireCommitId(commit);
  const written = await runner.must("hash-object", ["--stdin", "-w", "--no-filters"], { signal, input: text });
  const blob = requireCommitId(written.stdout.toString().trim());
  await runner.must("notes", ["--ref=refs/notes/forge", "add", "--force", `--reuse-message=${blob}`, id], { signal });
}
