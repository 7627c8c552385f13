import { basename, resolve } from "node:path";
import { entryAt } from "../../../../platform/files/entry-at.ts";
import type { ConfiguredRegistry } from "../config/config.ts";
import { noVersion } from "../definitions/versions.ts";
import { pluginNotFound } from "../errors.ts";
import { readPluginFolder } from "../packages/read-folder.ts";
import { findManifest, localPlugins, pluginFacts } from "../plugins/manifest.ts";
import type { InstallPlanner, Plan } from "./install-planner.ts";
import type { PluginOffer } from "./offers.ts";

/** A plugin's own folder, or the only plugin of a marketplace; its dependencies come from registries. */
export async function planFolder(given: string, base: string, planner: InstallPlanner): Promise<Plan> {
  const [place = given, wanted] = given.split("#", 2);
  const folder = resolve(base, place);
  const own = findManifest(folder);
  const listed = localPlugins(folder).map((plugin) => ({
    folder: plugin.folder,
    manifest: findManifest(plugin.folder) ?? plugin.listed,
  }));
  const all = own ? [{ folder, manifest: own }, ...listed] : listed;
  const found =
    wanted === undefined
      ? own || all.length === 1
        ? all[0]
        : undefined
      : all.find(({ manifest }) => manifest?.name === wanted);
  if (!found?.manifest || !entryAt(folder))
    throw pluginNotFound(
      given,
      [folder],
      all.map(({ manifest }) => `${place}#${manifest?.name ?? basename(folder)}`),
    );
  const { name, version = noVersion, fields } = found.manifest;
  const registry: ConfiguredRegistry = {
    name: "folder",
    type: "folder",
    url: found.folder,
    priority: 1,
    enabled: true,
    ttl: 0,
    scopes: [],
    origin: "user",
  };
  const offer: PluginOffer = {
    version,
    dependencies: async () => pluginFacts(fields).dependencies ?? {},
    fetch: async () => {
      const { integrityOfFiles } = await import("../packages/archive.ts");
      const files = await readPluginFolder(found.folder, { name, version, fields });
      return { files, integrity: integrityOfFiles(files) };
    },
  };
  const needed = Object.entries(await offer.dependencies()).map(([dependency, range]) => ({
    name: dependency,
    range,
    path: [name, dependency],
  }));
  const { chosen, warnings } = await planner.plan(needed);
  return {
    chosen: [...chosen, { offers: { name, registry, offers: [offer], isNamed: true }, offer, requiredBy: [] }],
    warnings,
  };
}
