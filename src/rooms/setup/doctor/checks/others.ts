import type { Check } from "../model.ts";
import { isNewer } from "../newest-version.ts";

export const clients: Check = {
  id: "clients",
  title: "Assistants",
  async look({ ports }) {
    const found = await ports.clients?.();
    if (!found) return undefined;
    if (found.length === 0) {
      return { state: "ok", message: "None found.", next: [{ command: "init --client NAME", why: "to set one up" }] };
    }
    const open = found.filter(({ upToDate }) => !upToDate);
    if (open.length === 0) return { state: "ok", message: `Set up: ${found.map(({ title }) => title).join(", ")}.` };
    return {
      state: "warning",
      message: `Not set up for Forge, or outdated: ${open.map(({ title, file }) => `${title} (${file})`).join(", ")}.`,
      next: [
        { command: "init --dry-run", why: "to see what would change" },
        { command: "init", why: "to set them up" },
      ],
    };
  },
};

/** Every project starts untrusted; only trust that no longer applies is worth a warning. */
export const trust: Check = {
  id: "trust",
  title: "Trust",
  async look({ ports, signal }) {
    const state = await ports.trust?.(signal);
    if (!state) return undefined;
    if (!state.given)
      return { state: "ok", message: "This project is not trusted, so Forge does not run its scripts." };
    if (state.trusted) return { state: "ok", message: "Trusted, and unchanged since." };
    const what = state.changed.length > 0 ? `: ${state.changed.join(", ")}` : "";
    return {
      state: "warning",
      message: `Scripts have changed since you trusted this project${what}. Forge does not run them until you trust it again.`,
      next: [
        { command: "status", why: "to see what has changed" },
        { command: "trust", why: "to trust it as it is now" },
      ],
    };
  },
};

export const update: Check = {
  id: "update",
  title: "Updates",
  async look({ ports, version, signal }) {
    if (!ports.newestVersion) return undefined;
    const newest = await ports.newestVersion(signal).catch(() => undefined);
    if (newest === undefined) return { state: "ok", message: "The package registry could not be reached." };
    if (!isNewer(newest, version)) return { state: "ok", message: `${version} is the newest version.` };
    return {
      state: "ok",
      message: `${newest} is available; this is ${version}.`,
      next: ["Update it the way it was installed; in a clone: git pull && npm ci && npm run build."],
    };
  },
};
