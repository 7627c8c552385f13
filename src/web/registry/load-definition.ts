import { readTool, request } from "../data/api.ts";
import { facts } from "../data/start.ts";
import type { Kind } from "./load-definitions.ts";

export type DefinitionVersion = { version: string; place: string; publishedAt?: string; withdrawn?: string };

/** A definition as its page shows it, whether it comes from a project or from a server. */
type DefinitionView = {
  name: string;
  version: string;
  description?: string;
  /** The prompt of an agent, the schemas of a tool, the manifest of a plugin. */
  parts: { title: string; text: string }[];
  facts: { title: string; text: string }[];
  dependencies: { name: string; version: string; kind: Kind }[];
  versions: DefinitionVersion[];
  warnings: string[];
};

type Info = {
  name: string;
  version: string;
  description?: string;
  author?: string;
  license?: string;
  extends?: string;
  source?: string;
  path?: string;
  prompt?: string;
  tools?: string[];
  inputSchema?: unknown;
  outputSchema?: unknown;
  dependencies?: { name: string; version: string; type: Kind }[];
  warnings?: string[];
};
type PluginInfo = Omit<Info, "dependencies"> & {
  components: Record<string, string[]>;
  dependencies?: Record<string, string>;
  availableVersions?: string[];
  installed?: { installedVersion: string; path: string };
};
type Metadata = {
  description?: string;
  author?: string;
  latest?: string;
  plugin?: string;
  versions: {
    version: string;
    publishedAt: string;
    dependencies?: Record<string, string>;
    yanked?: true;
    reason?: string;
  }[];
};

export function loadDefinition(kind: Kind, name: string, version: string | undefined): Promise<DefinitionView> {
  if (facts.value?.place === "team") return loadFromServer(kind, name, version);
  return kind === "plugin" ? loadPlugin(name, version) : loadOwn(kind, name, version);
}

async function loadOwn(kind: "agent" | "tool", name: string, version: string | undefined): Promise<DefinitionView> {
  const wanted = { name, ...(version !== undefined && { version }) };
  const [info, { versions, warnings = [] }] = await Promise.all([
    readTool<Info>(`fractary_forge_${kind}_info`, kind === "agent" ? { ...wanted, showPrompt: true } : wanted),
    readTool<{ versions: { version: string; source: string }[]; warnings?: string[] }>("registry_list_versions", {
      ...{ name, type: kind },
    }),
  ]);
  return {
    ...describeDefinition(info),
    parts: partsOf([
      ["Prompt", info.prompt],
      ["Input", info.inputSchema],
      ["Output", info.outputSchema],
    ]),
    facts: factsOf(info),
    dependencies: (info.dependencies ?? []).map(({ type, ...needed }) => ({ ...needed, kind: type })),
    versions: versions.map(({ version: number, source }) => ({ version: number, place: nameSource(source) })),
    warnings: [...(info.warnings ?? []), ...warnings],
  };
}

async function loadPlugin(name: string, version: string | undefined): Promise<DefinitionView> {
  const wanted = { plugin: name, ...(version !== undefined && { version }) };
  const info = await readTool<PluginInfo>("fractary_forge_plugin_info", wanted).catch(() =>
    readTool<PluginInfo>("fractary_forge_plugin_info", { ...wanted, remote: true }),
  );
  const { components, availableVersions = [], installed } = info;
  const versions = [
    ...(installed ? [{ version: installed.installedVersion, place: "installed" }] : []),
    ...availableVersions.map((number) => ({ version: number, place: "registry" })),
  ];
  return {
    ...describeDefinition(info),
    parts: Object.entries(components)
      .filter(([, names]) => names.length > 0)
      .map(([title, names]) => ({ title: capitalize(title), text: names.join("\n") })),
    facts: factsOf(info),
    dependencies: pluginsIn(info.dependencies),
    versions,
    warnings: info.warnings ?? [],
  };
}

async function loadFromServer(kind: Kind, name: string, version: string | undefined): Promise<DefinitionView> {
  const place = `/api/v1/${kind}s/${encodeURIComponent(name)}`;
  const metadata = await request<Metadata>("GET", `${place}/metadata`);
  const { description, author, plugin } = metadata;
  const shown = version ?? metadata.latest ?? metadata.versions[0]?.version ?? "";
  const released = await request<{ content?: string; manifest?: unknown }>("GET", `${place}/versions/${shown}`);
  return {
    ...{ name, version: shown },
    ...(description !== undefined && { description }),
    parts: partsOf([
      ["Definition", released.content],
      ["Manifest", released.manifest],
    ]),
    facts: factsOf({ author, plugin }),
    dependencies: pluginsIn(metadata.versions.find((one) => one.version === shown)?.dependencies),
    versions: metadata.versions.map(({ version: number, publishedAt, yanked, reason = "" }) => ({
      ...{ version: number, place: "this server", publishedAt },
      ...(yanked && { withdrawn: reason }),
    })),
    warnings: [],
  };
}

function describeDefinition({ name, version, description }: Info | PluginInfo) {
  return { name, version, ...(description !== undefined && { description }) };
}

function pluginsIn(dependencies: Record<string, string> = {}): DefinitionView["dependencies"] {
  return Object.entries(dependencies).map(([name, version]) => ({ name, version, kind: "plugin" }));
}

function partsOf(parts: [title: string, content: unknown][]): DefinitionView["parts"] {
  return parts.flatMap(([title, content]) =>
    content === undefined
      ? []
      : [{ title, text: typeof content === "string" ? content : JSON.stringify(content, undefined, 2) }],
  );
}

function factsOf(info: Record<string, unknown>): DefinitionView["facts"] {
  return ["author", "license", "extends", "plugin", "path"].flatMap((name) =>
    typeof info[name] === "string" ? [{ title: capitalize(name), text: info[name] }] : [],
  );
}

function nameSource(source: string): string {
  return { local: "this project", global: "your own", stockyard: "registry" }[source] ?? source;
}

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
