import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { withFolderLock } from "../../../../src/platform/files/write/folder-lock.ts";
import { replaceFolder } from "../../../../src/platform/files/write/replace-folder.ts";
import { FolderScan } from "../../../../src/rooms/registry/client/places/scan.ts";
import type { Ending, SweepRow } from "./sweep-rows.ts";

const parentOf = (folder: string) => join(folder, "root", "plugins");
const filesOf = (version: string) =>
  ["plugin.json", "agents/a.yaml", "agents/b.yaml"].map((path) => ({
    path,
    bytes: Buffer.from(JSON.stringify({ name: "review", version })),
    isExecutable: false,
  }));

async function install(folder: string, version: string): Promise<void> {
  const parent = parentOf(folder);
  await withFolderLock(parent, () => replaceFolder(parent, "review", filesOf(version)), new AbortController().signal);
}

/** The plugin as a reader finds it. */
function versionsIn(folder: string): string[] {
  const scan = new FolderScan({ source: "local", folder: join(folder, "root"), layout: "fractary" });
  Array.from(scan.candidates());
  return scan.result.plugins.map(({ folder: place, manifest }) => {
    const files = ["agents/a.yaml", "agents/b.yaml"].map((path) => readFileSync(join(place, path), "utf8"));
    const isWhole = files.every((text) => text.includes(`"${manifest?.version}"`));
    return isWhole ? (manifest?.version ?? "none") : "mixed";
  });
}

/** Whichever call failed: readers find the old plugin or the new one, complete, as was reported. */
export const pluginInstall: SweepRow = {
  name: "plugin-install",
  async prepare(folder) {
    mkdirSync(parentOf(folder), { recursive: true });
    await install(folder, "1.0.0");
  },
  run: (folder) => install(folder, "2.0.0"),
  faults(folder, ending: Ending) {
    const versions = versionsIn(folder);
    const [version] = versions;
    if (versions.length !== 1 || !["1.0.0", "2.0.0"].includes(version ?? ""))
      return [`readers find ${versions.join(", ") || "nothing"}`];
    return ending.outcome === "done" && version !== "2.0.0" ? ["done was said, and the plugin is old"] : [];
  },
  async repeat(folder) {
    await install(folder, "2.0.0");
    const left = readdirSync(parentOf(folder)).filter((name) => name !== "review" && name !== ".forge-lock");
    const strange = left.filter((name) => !name.startsWith(".forge-lock-"));
    if (strange.length > 0 || !existsSync(join(parentOf(folder), "review")))
      throw new Error(`left: ${left.join(", ")}`);
  },
};
