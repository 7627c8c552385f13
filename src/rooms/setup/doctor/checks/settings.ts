import { join } from "node:path";
import { entryAt } from "../../../../platform/files/entry.ts";
import { closeToOthers, currentUmask, isOpenToOthers, isOurs } from "../../../../platform/host/permissions.ts";
import type { Check } from "../model.ts";

export const settings: Check = {
  id: "settings",
  title: "Settings",
  look({ settingsProblems: [first, ...more] }) {
    if (!first) return { state: "ok", message: "Every setting has a value that it can have." };
    const rest = more.length > 0 ? ` ${more.length} more ${more.length === 1 ? "is" : "are"} wrong.` : "";
    return { state: "problem", message: `${first.message}${rest}`, mend: first.next };
  },
};

/** The settings file may hold a database's password, and whoever can write it chooses the servers that are trusted. */
export const home: Check = {
  id: "home",
  title: "Your ~/.forge",
  look({ home: folder }) {
    const own = join(folder, ".forge");
    const present = [own, join(own, "settings.json")].filter((path) => entryAt(path));
    if (present.length === 0) return { state: "ok", message: "Not there; nothing is kept in it yet." };
    const foreign = present.find((path) => !isOurs(path));
    if (foreign) {
      return {
        state: "problem",
        message: `${foreign} belongs to another user.`,
        mend: [`Move it away, or have it given back to you.`],
      };
    }
    const open = present.filter(isOpenToOthers);
    if (open.length === 0) return { state: "ok", message: "Only you may look into it." };
    return {
      state: "warning",
      message: `Other users of this machine may look into ${open.join(" and ")}.`,
      mend: [`chmod go= ${open.join(" ")}`],
      fix() {
        open.forEach(closeToOthers);
        return `Took the rights of others from ${open.join(" and ")}.`;
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
    if ((mask & othersMayWrite) !== 0) return { state: "ok", message: `It is ${shown}.` };
    return {
      state: "warning",
      message: `It is ${shown}: every user of this machine may change the files that your programs make.`,
      mend: ["Put `umask 022` into your shell's profile."],
    };
  },
};
