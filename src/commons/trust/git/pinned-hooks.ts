import { basename, dirname, join } from "node:path";
import type { TrustedHooks } from "../../../platform/git/run/hardening.ts";
import { writeTemporaryFile } from "../../../platform/state/temporary-folder.ts";
import { quoteForShell } from "../../cli/shell-word.ts";
import { pinScript, readShebang } from "../../test-runs/project/pinned-script.ts";
import type { PinnedRunnable } from "../runnable.ts";
import type { HooksFolder } from "./git-runnables.ts";

/** The hooks with the bytes that were checked. Those that the user has set up for all repositories are not the project's. */
export function pinHooks({ folder, isOwn }: HooksFolder, pinned: readonly PinnedRunnable[]): TrustedHooks {
  if (!isOwn) return { folder };
  const hooks = pinned.filter(({ id, runs }) => id.startsWith("hook:") && dirname(runs) === folder);
  return {
    write(place) {
      for (const { runs, bytes = Buffer.alloc(0) } of hooks) writeHook(place, runs, bytes);
      return join(place, "hooks");
    },
  };
}

/** A hook finds other files by its own path, so it is told the one that it has in the repository. */
function writeHook(place: string, path: string, bytes: Buffer): void {
  const name = basename(path);
  const interpreter = readShebang(bytes);
  const files = { root: "/", folder: join(place, "scripts", name) };
  const command = interpreter && pinScript(interpreter, path, [], new Map([[path, bytes]]), files);
  const starter = command && `#!/bin/sh\nexec ${command.words.map(quoteForShell).join(" ")} "$@"\n`;
  writeTemporaryFile(join(place, "hooks", name), starter ?? bytes, 0o700);
}
