import { programsNamed } from "../../../../platform/exec/search-path.ts";
import { entryAt } from "../../../../platform/files/entry.ts";
import { realPlace } from "../../../../platform/files/real-place.ts";
import { codeCacheFolder, removeCaches, staleCaches } from "../../../../platform/host/code-cache.ts";
import { isForge } from "../../../../platform/host/installation.ts";
import { closeToOthers, isOpenToOthers, isOurs } from "../../../../platform/host/permissions.ts";
import type { Check } from "../model.ts";

/** Assistants start what their configuration names, which mostly is `forge`: it had better be this one. */
export const searchPath: Check = {
  id: "path",
  title: "forge on the PATH",
  look({ program, environment }) {
    const [first, ...later] = programsNamed("forge", environment);
    if (first === undefined) {
      return {
        state: "warning",
        message: "There is no `forge` on the PATH, so an assistant configured to start `forge mcp` finds nothing.",
        mend: ["Put it there: npm link, in Forge's folder.", "Or give assistants the command's whole path."],
      };
    }
    if (realPlace(first) === realPlace(program)) {
      const hidden = later.filter((path) => realPlace(path) !== realPlace(first));
      return { state: "ok", message: `${first}${hidden.length > 0 ? `; it hides ${hidden.join(", ")}` : ""}.` };
    }
    const isOther = isForge(first);
    return {
      // On Windows what is on the PATH is a script of npm's, whose target does not show.
      state: isOther && process.platform === "win32" ? "ok" : "warning",
      message: isOther
        ? `\`forge\` on the PATH is another installation of Forge (${first}) than the one running (${program}).`
        : `\`forge\` on the PATH is another program: ${first}.`,
      mend: [
        isOther ? "Remove one of the two." : "Use `forge-mcp` in place of `forge mcp` where assistants are configured.",
        "Or put the folder of the one you want first into PATH.",
      ],
    };
  },
};

/** Code is run from this folder, so the launcher uses it only where nobody else can write there. */
export const codeCache: Check = {
  id: "code-cache",
  title: "Code cache",
  look({ environment, now }) {
    const folder = codeCacheFolder(environment);
    if (folder === undefined) return { state: "ok", message: "Off; starting takes a little longer." };
    const entry = entryAt(folder);
    if (!entry) return { state: "ok", message: `${folder} is made when Forge next ends.` };
    if (!entry.isDirectory()) return unusable(`${folder} is no folder`);
    if (!isOurs(folder)) return unusable(`${folder} belongs to another user`);
    if (isOpenToOthers(folder)) {
      return {
        ...unusable(`${folder} is open to others`),
        mend: [`chmod go= ${folder}`],
        fix() {
          closeToOthers(folder);
          return `Took the rights of others from ${folder}.`;
        },
      };
    }
    const stale = staleCaches(folder, now());
    if (stale.length === 0) return { state: "ok", message: folder };
    return {
      state: "ok",
      message: `${folder}; ${stale.length} of its files are of no use any more.`,
      fix() {
        removeCaches(stale);
        return `Removed ${stale.length} old files from ${folder}.`;
      },
    };
  },
};

function unusable(why: string) {
  return {
    state: "warning" as const,
    message: `${why}, so it is not used and every start compiles the program anew.`,
    mend: ["Move it away; Forge then makes its own."],
  };
}
