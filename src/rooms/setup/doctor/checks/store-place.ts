import { dirname, join } from "node:path";
import { entryAt } from "../../../../platform/files/entry-at.ts";
import { readSmallFile, replaceFile } from "../../../../platform/files/small-file.ts";
import { isAccessibleToOthers, isOwnedByUser, restrictToOwner } from "../../../../platform/host/permissions.ts";
import { networkFileSystem } from "../../../../platform/state/file-system.ts";
import type { Check, World } from "../model.ts";

const maxIgnoreBytes = 65_536;

function placesOf({ project: { stateDir, databaseFile } }: World): string[] {
  return [stateDir, databaseFile, `${databaseFile}-wal`, `${databaseFile}-shm`].filter((path) => entryAt(path));
}

export const storePermissions: Check = {
  id: "store-permissions",
  title: "Store permissions",
  look(world) {
    const places = placesOf(world);
    if (places.length === 0) return undefined;
    const foreign = places.find((path) => !isOwnedByUser(path));
    if (foreign) {
      return {
        state: "warning",
        message: `${foreign} belongs to another user.`,
        next: ["Run Forge as that user, or have the ownership of the project's folder changed to you."],
      };
    }
    const open = places.filter(isAccessibleToOthers);
    if (open.length === 0) return { state: "ok", message: "Only you can read it." };
    return {
      state: "warning",
      message: `Other users of this machine can read ${open.join(", ")}.`,
      next: [`chmod go= ${open.join(" ")}`],
      fix() {
        open.forEach(restrictToOwner);
        return `Removed other users' permissions on ${open.join(", ")}.`;
      },
    };
  },
};

/** Without it, `git add .` would commit the database. A repository can bring one that ignores nothing. */
export const storeIgnored: Check = {
  id: "store-ignored",
  title: "Store and git",
  look({ project: { stateDir } }) {
    if (!entryAt(stateDir)?.isDirectory()) return undefined;
    const file = join(stateDir, ".gitignore");
    const lines = readSmallFile(file, maxIgnoreBytes)?.split(/\r?\n/) ?? [];
    if (lines.includes("*") && !lines.some((line) => line.startsWith("!")))
      return { state: "ok", message: "Ignored by git." };
    const isThere = entryAt(file) !== undefined;
    return {
      state: "warning",
      message: `${file} ${isThere ? "does not ignore everything" : "is missing"}, so git may commit Forge's data.`,
      next: [`${isThere ? "Replace its content with" : `Create ${file} with`} the line *.`],
      fix() {
        replaceFile(file, "*\n", 0o644);
        return `${isThere ? "Replaced" : "Created"} ${file}.`;
      },
    };
  },
};

/** SQLite's log needs memory that all processes share; a network file system has none, and data can be lost. */
export const storeFileSystem: Check = {
  id: "store-file-system",
  title: "Store location",
  look({ project: { stateDir }, databaseUrl }) {
    if (databaseUrl !== undefined) return undefined;
    return fileSystemFinding(networkFileSystem(entryAt(stateDir) ? stateDir : dirname(stateDir)));
  },
};

export function fileSystemFinding(network: string | undefined) {
  if (network === undefined) return { state: "ok" as const, message: "On a local disk." };
  return {
    state: "warning" as const,
    message: `On a network file system (${network}), where SQLite can lose data if two machines write.`,
    next: ["Move the project to a local disk, or use PostgreSQL: set FORGE_DATABASE_URL."],
  };
}
