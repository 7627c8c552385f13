import type { Check } from "../model.ts";
import { isNewer } from "../newest-version.ts";

export const clients: Check = {
  id: "clients",
  title: "Assistants",
  async look({ ports }) {
    const found = await ports.clients?.();
    if (!found) return undefined;
    if (found.length === 0) {
      return { state: "ok", message: "None seems to be used here; `forge init --client NAME` sets one up." };
    }
    const open = found.filter(({ upToDate }) => !upToDate);
    if (open.length === 0) return { state: "ok", message: `Set up: ${found.map(({ title }) => title).join(", ")}.` };
    return {
      state: "warning",
      message: `Not set up for Forge, or not as it should be: ${open.map(({ title, file }) => `${title} (${file})`).join(", ")}.`,
      mend: ["See what would change with `forge init --dry-run`, then run `forge init`."],
    };
  },
};

/** Not trusted is how every project begins; only trust that no longer holds is worth a warning. */
export const trust: Check = {
  id: "trust",
  title: "Trust",
  async look({ ports, signal }) {
    const state = await ports.trust?.(signal);
    if (!state) return undefined;
    if (!state.given) return { state: "ok", message: "This project's code is not trusted, so none of it is run." };
    if (state.trusted) return { state: "ok", message: "You have trusted this project's code, and it is unchanged." };
    const what = state.changed.length > 0 ? `: ${state.changed.join(", ")}` : "";
    return {
      state: "warning",
      message: `What you have trusted was changed since${what}. It is not run until you have looked at it.`,
      mend: ["`forge status` shows what differs; `forge trust` allows it as it is now."],
    };
  },
};

export const update: Check = {
  id: "update",
  title: "Updates",
  async look({ ports, version, signal }) {
    if (!ports.newestVersion) return undefined;
    const newest = await ports.newestVersion(signal).catch(() => undefined);
    if (newest === undefined) return { state: "ok", message: "The package registry could not be asked." };
    if (!isNewer(newest, version)) return { state: "ok", message: `${version} is the newest version.` };
    return {
      state: "ok",
      message: `This is ${version}; ${newest} has been published.`,
      mend: ["Update it the way it was installed; in a clone: git pull && npm ci && npm run build."],
    };
  },
};
