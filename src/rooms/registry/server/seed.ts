import { ForgeError } from "../../../kernel/errors.ts";
import type { Log } from "../../../platform/log.ts";
import { packArchive } from "../client/packages/archive.ts";
import { readFolder } from "../client/packages/read-folder.ts";
import { findManifest, localPlugins } from "../client/plugins/manifest.ts";
import type { RegistryServer } from "./registry-server.ts";

/** The server's own: nobody signs in as it. */
const publisher = { team: "", name: "seed" };

/** Publishes the plugins of a folder, such as a checkout. What is there already stays as it is. */
export async function seedFrom(folder: string, registry: RegistryServer, log: Log): Promise<void> {
  const listed = localPlugins(folder).map((plugin) => plugin.folder);
  const own = findManifest(folder) ? [folder] : [];
  for (const place of [...new Set([...own, ...listed])]) {
    try {
      const { name, version, isNew } = await registry.publish(publisher, {
        archive: packArchive(await readFolder(place)),
      });
      if (isNew) log("info", "published a plugin of the seed folder", { name, version });
    } catch (error) {
      if (!(error instanceof ForgeError)) throw error;
      log("warning", "a plugin of the seed folder was left out", { folder: place, reason: error.message });
    }
  }
}
