import { dirname, join } from "node:path";
import { entryAt } from "../../../../platform/files/entry.ts";
import { createFileOnce } from "../../../../platform/files/small-file.ts";
import { closeToOthers, isOpenToOthers, isOurs } from "../../../../platform/host/permissions.ts";
import { networkFileSystem } from "../../../../platform/state/file-system.ts";
import type { Check, World } from "../model.ts";

function placesOf({ project: { stateDir, databaseFile } }: World): string[] {
  return [stateDir, databaseFile, `${databaseFile}-wal`, `${databaseFile}-shm`].filter((path) => entryAt(path));
}

export const storePermissions: Check = {
  id: "store-permissions",
  title: "Who may read the store",
  look(world) {
    const places = placesOf(world);
    if (places.length === 0) return undefined;
    const foreign = places.find((path) => !isOurs(path));
    if (foreign) {
      return {
        state: "warning",
        message: `${foreign} belongs to another user.`,
        mend: ["Run Forge as that user, or have the project's folder given to you."],
      };
    }
    const open = places.filter(isOpenToOthers);
    if (open.length === 0) return { state: "ok", message: "Only you." };
    return {
      state: "warning",
      message: `Other users of this machine may look into ${open.join(", ")}.`,
      mend: [`chmod go= ${open.join(" ")}`],
      fix() {
        open.forEach(closeToOthers);
        return `Took the rights of others from ${open.join(", ")}.`;
      },
    };
  },
};

/** Without it, `git add .` would put the database into a commit. */
export const storeIgnored: Check = {
  id: "store-ignored",
  title: "The store in git",
  look({ project: { stateDir } }) {
    if (!entryAt(stateDir)?.isDirectory()) return undefined;
    const file = join(stateDir, ".gitignore");
    if (entryAt(file)) return { state: "ok", message: "git ignores it." };
    return {
      state: "warning",
      message: `${file} is missing, so git may commit what Forge keeps.`,
      mend: [`Write a line with only * into ${file}.`],
      fix() {
        createFileOnce(file, "*\n", 0o644);
        return `Wrote ${file}.`;
      },
    };
  },
};

/** SQLite's log needs memory that all processes share; over a network there is none, and data can be lost. */
export const storeFileSystem: Check = {
  id: "store-file-system",
  title: "Disk of the store",
  look({ project: { stateDir }, databaseUrl }) {
    if (databaseUrl !== undefined) return undefined;
    return fileSystemFinding(networkFileSystem(entryAt(stateDir) ? stateDir : dirname(stateDir)));
  },
};

export function fileSystemFinding(network: string | undefined) {
  if (network === undefined) return { state: "ok" as const, message: "It is on this machine." };
  return {
    state: "warning" as const,
    message: `It is a network file system (${network}), on which SQLite can lose data when two machines write.`,
    mend: ["Keep the project on a local disk, or give Forge a PostgreSQL database with DATABASE_URL."],
  };
}
