import type { App } from "../../../commons/cli/app.ts";
import { commandFor } from "../../../commons/cli/command-for.ts";
import { printList } from "../../../commons/cli/print/list.ts";
import type { Column } from "../../../commons/cli/print/table.ts";
import type { Command } from "../../../kernel/definitions/command.ts";
import type { PluginSummary, SearchResult } from "../client/types.ts";
import type { fractaryForgePluginInfo } from "../tools/plugin/fractary-forge-plugin-info.ts";
import type { fractaryForgePluginList } from "../tools/plugin/fractary-forge-plugin-list.ts";
import type { fractaryForgePluginSearch } from "../tools/plugin/fractary-forge-plugin-search.ts";
import { printFields, registrySettings } from "./layout.ts";

const facts = { settings: registrySettings, group: "more" as const, isQuiet: true as const };

const columns: Column<PluginSummary>[] = [
  { title: "NAME", cell: ({ name }) => name },
  { title: "VERSION", cell: ({ version }) => version },
  { title: "SCOPE", cell: ({ scope }) => scope },
  { title: "LATEST", cell: ({ latestVersion = "" }) => latestVersion },
  { title: "PATH", cell: ({ path }) => path, shrinks: true },
];

const list = commandFor<typeof fractaryForgePluginList>({
  ...facts,
  tool: "fractary_forge_plugin_list",
  name: "registry list",
  summary: "List installed plugins",
  examples: [["forge registry list --updates", "Those with a newer version."]],
  options: {
    scope: { short: "s", help: "Only this scope." },
    outdated: { flag: "updates", help: "Only those with a newer version in a registry." },
  },
  print: ({ plugins }, out) => printList({ columns, rows: plugins, none: "No plugins found." }, out),
});

const info = commandFor<typeof fractaryForgePluginInfo>({
  ...facts,
  tool: "fractary_forge_plugin_info",
  name: "registry info",
  summary: "Show a plugin",
  examples: [["forge registry info @acme/review --versions", "A plugin of a registry, with its versions."]],
  options: {
    version: { help: "Version or range." },
    remote: { flag: "versions", short: "r", help: "Ask the registries, and list the versions they have." },
  },
  print({ components, installed, dependencies, ...plugin }, out) {
    printFields(
      {
        ...plugin,
        ...components,
        dependencies: dependencies && Object.entries(dependencies).map(([name, range]) => `${name}@${range}`),
        installed: installed && `${installed.installedVersion} (${installed.scope}) ${installed.path}`,
      },
      out,
    );
  },
});

const resultColumns: Column<SearchResult>[] = [
  { title: "NAME", cell: ({ name }) => name },
  { title: "VERSION", cell: ({ version }) => version },
  { title: "REGISTRY", cell: ({ registry }) => registry },
  { title: "DESCRIPTION", cell: ({ description = "" }) => description.replace(/\s+/g, " "), shrinks: true },
];

const search = commandFor<typeof fractaryForgePluginSearch>({
  ...facts,
  tool: "fractary_forge_plugin_search",
  name: "registry search",
  summary: "Search the registries for plugins",
  examples: [["forge registry search review --tags official", "Plugins about review."]],
  options: {
    tags: { short: "t", value: "LIST", commas: true, help: "Only those with any of these tags." },
    limit: { short: "l", help: "How many results at most." },
  },
  print: ({ results, total }, out, { again, input }) => {
    const end = Number(input["offset"] ?? 0) + results.length;
    printList(
      {
        columns: resultColumns,
        rows: results,
        none: "No matching plugins.",
        more: end < total ? again({ offset: end }) : undefined,
      },
      out,
    );
  },
});

export const pluginCommands: Command<App>[] = [list, info, search];
