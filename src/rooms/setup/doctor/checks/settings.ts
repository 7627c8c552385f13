import { join } from "node:path";
import { entryAt } from "../../../../platform/files/entry-at.ts";
import {
  currentUmask,
  isAccessibleToOthers,
  isOwnedByUser,
  restrictToOwner,
} from "../../../../platform/host/permissions.ts";
import type { Check } from "../model.ts";

export const settings: Check = {
  id: "settings",
  title: "Settings",
  look({ settingsProblems: [first, ...more] }) {
    if (!first) return { state: "ok", message: "all valid." };
    const rest = more.length > 0 ? ` ${more.length} more ${more.length === 1 ? "is" : "are"} wrong.` : "";
    return { state: "problem", message: `${first.message}${rest}`, next: first.next };
  },
};

/** The settings file may contain a database password, and anyone who can write it chooses which servers are trusted. */
export const home: Check = {
  id: "home",
  title: "~/.forge",
  look({ home: folder }) {
    const own = join(folder, ".forge");
    const present = [own, join(own, "settings.json")].filter((path) => entryAt(path));
    if (present.length === 0) return { state: "ok", message: "not created yet." };
    const foreign = present.find((path) => !isOwnedByUser(path));
    if (foreign) {
      return {
        state: "problem",
        message: `${foreign} belongs to another user.`,
        next: ["Rename it, or have its ownership changed to you."],
      };
    }
    const open = present.filter(isAccessibleToOthers);
    if (open.length === 0) return { state: "ok", message: "Only you can read it." };
    return {
      state: "warning",
      message: `Other users of this machine can read ${open.join(" and ")}.`,
      next: [`chmod go= ${open.join(" ")}`],
      fix() {
        open.forEach(restrictToOwner);
        return `Removed other users' permissions on ${open.join(" and ")}.`;
      },
    };
  },
};

const othersMayWrite = 0o002;

export const umask: Check = {
  id: "umask",
  title: "umask",
  look() {
    if (process.platform === "win32") return undefined;
    const mask = currentUmask();
    const shown = mask.toString(8).padStart(3, "0");
    if ((mask & othersMayWrite) !== 0) return { state: "ok", message: shown };
    return {
      state: "warning",
      message: `${shown}: every user of this machine can change files that your programs create.`,
      next: ["Put `umask 022` in your shell's profile."],
    };
  },
};
