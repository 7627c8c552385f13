import type { App } from "../../../commons/cli/app.ts";
import { commandFor } from "../../../commons/cli/command-for.ts";
import { printList } from "../../../commons/cli/print/list.ts";
import { type Command, defineGroup } from "../../../kernel/definitions/command.ts";
import { plain, plainLines } from "../../../platform/terminal/text.ts";
import type { fractaryForgeCacheClear } from "../tools/cache/fractary-forge-cache-clear.ts";
import type { fractaryForgeCacheStats } from "../tools/cache/fractary-forge-cache-stats.ts";
import type { registryAddSource } from "../tools/change/registry-add-source.ts";
import type { registryInit } from "../tools/change/registry-init.ts";
import type { registryRemoveSource } from "../tools/change/registry-remove-source.ts";
import type { fractaryForgeConfigGet } from "../tools/config/fractary-forge-config-get.ts";
import type { fractaryForgeConfigRegistryList } from "../tools/config/fractary-forge-config-registry-list.ts";
import type { fractaryForgeConfigShow } from "../tools/config/fractary-forge-config-show.ts";
import { askFor } from "./ask-for.ts";
import { printFields, printWritten, registrySettings } from "./layout.ts";

const facts = { settings: registrySettings, group: "more" as const, isQuiet: true as const };

const init = commandFor<typeof registryInit>({
  ...facts,
  tool: "registry_init",
  name: "registry init",
  aliases: ["registry configure"],
  summary: "Create a registry configuration",
  examples: [["forge registry init --org acme", "A configuration for this project."]],
  details: "On a terminal it asks for your organization and the address of your team's registry.",
  options: { organization: "org", registry: { value: "URL" }, global: { short: "g" } },
  toInput: async (given, { app, out }) => {
    const isAsked = !given["validateOnly"] && !out.json && app.terminal.ask;
    const organization =
      given["organization"] ?? (isAsked ? await askFor(app, out, "Organization (optional): ") : undefined);
    const registry =
      given["registry"] ?? (isAsked ? await askFor(app, out, "Address of your registry (optional): ") : undefined);
    return {
      ...given,
      ...(organization !== undefined && { organization }),
      ...(registry !== undefined && { registry }),
    } as never;
  },
  print: (written, out) => {
    if (written.path === "")
      out.print(
        written.sources.length === 0
          ? "No configuration file; the defaults are used."
          : `Valid: ${written.sources.map(plain).join(", ")}`,
      );
    else printWritten("Created", written, out);
  },
});

const configGet = commandFor<typeof fractaryForgeConfigGet>({
  ...facts,
  tool: "fractary_forge_config_get",
  name: "registry config get",
  summary: "Show one setting of the registry",
  examples: [["forge registry config get registries.0.url", "The first registry's address."]],
  print: ({ value, exists, key }, out) => {
    if (exists) out.print(typeof value === "string" ? plain(value) : JSON.stringify(value, undefined, 2));
    else out.note(`${plain(key)} is not set.`);
  },
  exitCode: ({ exists }) => (exists ? 0 : 1),
});

const configShow = commandFor<typeof fractaryForgeConfigShow>({
  ...facts,
  tool: "fractary_forge_config_show",
  name: "registry config show",
  summary: "Show the registry configuration",
  examples: [["forge registry config show --format yaml", "As YAML."]],
  options: { includeDefaults: { flag: "no-defaults", help: "Leave out what no file sets." } },
  print: ({ config, sources, yaml }, out) => {
    out.print(plainLines(yaml ?? JSON.stringify(config, undefined, 2)).trimEnd());
    out.note(sources.length === 0 ? "From the defaults." : `From ${sources.map(plain).join(", ")}`);
  },
});

const sourceNames = (word: string) => [`registry source ${word}`, [`registry registry ${word}`]] as const;
const [addName, addAliases] = sourceNames("add");
const [removeName, removeAliases] = sourceNames("remove");
const [listName, listAliases] = sourceNames("list");

const sourceAdd = commandFor<typeof registryAddSource>({
  ...facts,
  tool: "registry_add_source",
  name: addName,
  aliases: addAliases,
  summary: "Add a registry",
  details:
    "Changes .fractary/config.json of this project, or with --global your own. The registry with the lowest priority number is asked first. A token belongs in an environment variable; name it with --token-env. It is sent only to registries of your own configuration.",
  examples: [
    [
      "forge registry source add acme https://registry.acme.example --scopes @acme",
      "Names in @acme come from there only.",
    ],
  ],
  options: { scopes: { value: "LIST", commas: true }, global: { short: "g" } },
  print: (written, out) => printWritten("Updated", written, out),
});

const sourceRemove = commandFor<typeof registryRemoveSource>({
  ...facts,
  tool: "registry_remove_source",
  name: removeName,
  aliases: removeAliases,
  summary: "Remove a registry",
  examples: [["forge registry source remove acme", "A registry of this project."]],
  options: { global: { short: "g" } },
  print: (written, out) => printWritten("Updated", written, out),
});

const sourceList = commandFor<typeof fractaryForgeConfigRegistryList>({
  ...facts,
  tool: "fractary_forge_config_registry_list",
  name: listName,
  aliases: listAliases,
  summary: "List registries",
  examples: [["forge registry source list", "The registries, in the order they are asked."]],
  print: ({ registries }, out) => {
    const columns = [
      { title: "NAME", cell: ({ name }: (typeof registries)[number]) => name },
      { title: "PRIORITY", cell: ({ priority }: (typeof registries)[number]) => String(priority) },
      { title: "TYPE", cell: ({ type }: (typeof registries)[number]) => type },
      { title: "TOKEN", cell: ({ authenticated }: (typeof registries)[number]) => (authenticated ? "yes" : "no") },
      { title: "URL", cell: ({ url }: (typeof registries)[number]) => url },
    ];
    printList({ columns, rows: registries, none: "No registries." }, out);
  },
});

const cacheStats = commandFor<typeof fractaryForgeCacheStats>({
  ...facts,
  tool: "fractary_forge_cache_stats",
  name: "registry cache stats",
  summary: "Show how much the cache holds",
  examples: [["forge registry cache stats", "Entries, sizes and the location."]],
  print: ({ manifests, downloads, totalSize, location, legacy }, out) =>
    printFields(
      {
        manifests: `${manifests.count} (${manifests.size})`,
        downloads: `${downloads.count} (${downloads.size})`,
        totalSize,
        location,
        oldCache: legacy && `${legacy.entries} files in ${legacy.location}`,
      },
      out,
    ),
});

const cacheClear = commandFor<typeof fractaryForgeCacheClear>({
  ...facts,
  tool: "fractary_forge_cache_clear",
  name: "registry cache clear",
  summary: "Remove what was fetched from registries",
  examples: [["forge registry cache clear --older-than 30", "Entries older than 30 days."]],
  options: { type: { help: "Only this kind of entry." }, olderThan: { short: "o" } },
  print: ({ cleared: { manifests, downloads, totalSize } }, out, { input }) =>
    out.print(
      `${input["dryRun"] ? "Would remove" : "Removed"} ${manifests} manifests and ${downloads} downloads (${totalSize}).`,
    ),
});

const group = (name: string, summary: string): Command<App> =>
  defineGroup<App>({ name, summary, examples: [[`forge ${name} --help`, "Its commands."]], group: "more" });

export const configCommands: Command<App>[] = [
  init,
  group("registry config", "Read the registry configuration"),
  configGet,
  configShow,
  group("registry source", "Manage registries"),
  sourceList,
  sourceAdd,
  sourceRemove,
  group("registry cache", "Manage the cache of registries"),
  cacheStats,
  cacheClear,
];
