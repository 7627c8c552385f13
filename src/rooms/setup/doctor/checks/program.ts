import { findPrograms } from "../../../../platform/exec/search-path.ts";
import { entryAt } from "../../../../platform/files/entry-at.ts";
import { realPlace } from "../../../../platform/files/real-place.ts";
import { codeCacheFolder, findStaleCaches, removeCaches } from "../../../../platform/host/code-cache.ts";
import { isForge } from "../../../../platform/host/installation.ts";
import { isAccessibleToOthers, isOwnedByUser, restrictToOwner } from "../../../../platform/host/permissions.ts";
import type { Check } from "../model.ts";

/** Assistants start what their configuration names, which is usually `forge`: it should be this one. */
export const searchPath: Check = {
  id: "path",
  title: "forge on the PATH",
  look({ program, environment }) {
    const [first, ...later] = findPrograms("forge", environment);
    if (first === undefined) {
      return {
        state: "warning",
        message: "`forge` is not on the PATH, so assistants that are configured to start it will not find it.",
        next: ["Run `npm link` in Forge's folder.", "Or use the full path in your assistants' configuration."],
      };
    }
    if (realPlace(first) === realPlace(program)) {
      const hidden = later.filter((path) => realPlace(path) !== realPlace(first));
      return { state: "ok", message: `${first}${hidden.length > 0 ? `; it shadows ${hidden.join(", ")}` : ""}.` };
    }
    const isOther = isForge(first);
    return {
      // On Windows what is on the PATH is a script of npm's, whose target does not show.
      state: isOther && process.platform === "win32" ? "ok" : "warning",
      message: isOther
        ? `\`forge\` on the PATH is another installation of Forge (${first}) than the one running (${program}).`
        : `\`forge\` on the PATH is another program: ${first}.`,
      next: [
        isOther ? "Remove one of the two." : "Use `forge-mcp` instead in your assistants' configuration.",
        "Or put the folder of the one you want first in PATH.",
      ],
    };
  },
};

/** Code is run from this folder, so the launcher uses it only if nobody else can write to it. */
export const codeCache: Check = {
  id: "code-cache",
  title: "Code cache",
  look({ environment, now }) {
    const folder = codeCacheFolder(environment);
    if (folder === undefined) return { state: "ok", message: "Off. Starting takes a little longer." };
    const entry = entryAt(folder);
    if (!entry) return { state: "ok", message: `${folder} (created when Forge next exits).` };
    if (!entry.isDirectory()) return unusable(`${folder} is not a folder`);
    if (!isOwnedByUser(folder)) return unusable(`${folder} belongs to another user`);
    if (isAccessibleToOthers(folder)) {
      return {
        ...unusable(`Other users can access ${folder}`),
        next: [`chmod go= ${folder}`],
        fix() {
          restrictToOwner(folder);
          return `Removed other users' permissions on ${folder}.`;
        },
      };
    }
    const stale = findStaleCaches(folder, now());
    if (stale.length === 0) return { state: "ok", message: folder };
    return {
      state: "ok",
      message: `${folder} (${stale.length} unused files).`,
      fix() {
        removeCaches(stale);
        return `Removed ${stale.length} unused files from ${folder}.`;
      },
    };
  },
};

function unusable(why: string) {
  return {
    state: "warning" as const,
    message: `${why}, so it is not used and every start takes longer.`,
    next: ["Rename it; Forge then creates its own."],
  };
}
