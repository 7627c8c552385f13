import { join } from "node:path";
import type { Fetcher } from "../../../platform/fetch/fetcher.ts";
import { entryAt } from "../../../platform/files/entry-at.ts";
import { realPathOf, realPlace } from "../../../platform/files/real-place.ts";
import { Cache } from "./cache.ts";
import type { Config, ConfiguredRegistry } from "./config/config.ts";
import { ConfigEditor } from "./config/config-editor.ts";
import { configFiles, type Environment, loadConfig } from "./config/load-config.ts";
import { tokenFor } from "./config/tokens.ts";
import { Creator } from "./creator.ts";
import { DefinitionReader } from "./definition-reader.ts";
import { notOwnRegistry } from "./errors.ts";
import { Forks } from "./forks/forks.ts";
import { type ExportedFile, type ExportForm, exportDefinition } from "./formats/export-definition.ts";
import { writeExported } from "./formats/write-exported.ts";
import { Credentials } from "./install/credentials.ts";
import { Installer } from "./install/installer.ts";
import { KnownPackages } from "./install/known-packages.ts";
import { PluginPlaces } from "./install/plugin-places.ts";
import { Publisher } from "./install/publisher.ts";
import { DefinitionStore } from "./places/definition-store.ts";
import { AllowedRoots, type DefinitionRoot } from "./places/roots.ts";
import { Plugins } from "./plugins/plugins.ts";
import { ProjectFiles } from "./project-files.ts";
import { DefinitionResolver } from "./resolver.ts";
import { FolderRegistry } from "./sources/folder-registry.ts";
import { ManifestRegistry } from "./sources/manifest-registry.ts";
import { RegistryHttp } from "./sources/registry-http.ts";
import { RemoteRegistries } from "./sources/remote-registries.ts";
import type { RemoteRegistry } from "./sources/remote-registry.ts";
import { Stockyard } from "./sources/stockyard.ts";
import type { Kind } from "./types.ts";
import { Validator } from "./validator.ts";

export type LibraryOptions = {
  projectRoot: string;
  home: string;
  env: Environment;
  fetcher: () => Promise<Fetcher>;
  /** Whether registries that only the project's files name are asked; default: always. */
  isTrusted?(): Promise<boolean>;
  /** Told of a token before it is sent: what comes back must not repeat it. */
  onToken?(token: string): void;
};

export type ExportRequest = {
  name: string;
  to: ExportForm;
  type?: Kind | undefined;
  /** Below the project. */
  folder: string;
  force: boolean;
  dryRun: boolean;
};
export type Exported = { name: string; type: Kind; files: ExportedFile[]; dryRun: boolean };

const alwaysTrusted = async () => true;

/** Everything that works on one state of the configuration. */
export type OpenLibrary = {
  config: Config;
  cache: Cache;
  store: DefinitionStore;
  resolver: DefinitionResolver;
  reader: DefinitionReader;
  validator: Validator;
  plugins: Plugins;
  forks: Forks;
  remote: RemoteRegistries;
  installer: Installer;
  publisher: Publisher;
};

/** Definitions, plugins, forks, configuration and cache of a project and its user. */
export class Library {
  readonly #options: LibraryOptions;
  readonly editor: ConfigEditor;
  readonly creator: Creator;
  readonly files: ProjectFiles;
  readonly credentials: Credentials;
  /** A token that is being tried. */
  #given: { registry: string; token: string } | undefined;
  #open: { stamp: string; library: OpenLibrary } | undefined;

  constructor(options: LibraryOptions) {
    this.#options = options;
    this.editor = new ConfigEditor(options);
    this.files = new ProjectFiles(options.projectRoot);
    this.creator = new Creator(this.files);
    this.credentials = new Credentials(options.home);
  }

  get projectRoot(): string {
    return this.#options.projectRoot;
  }

  /** With the configuration as it is now; a broken file is an error here and not at the start. */
  open(): OpenLibrary {
    const stamp = configFiles(this.#options)
      .map(({ path }) => {
        const entry = entryAt(path);
        return entry ? `${path} ${entry.mtimeMs} ${entry.ctimeMs} ${entry.size}` : "";
      })
      .join("\n");
    if (this.#open?.stamp !== stamp) this.#open = { stamp, library: this.#build() };
    return this.#open.library;
  }

  tokenFor(registry: ConfiguredRegistry): string | undefined {
    const token = this.#given?.registry === registry.name ? this.#given.token : this.#ownToken(registry);
    if (token !== undefined) this.#options.onToken?.(token);
    return token;
  }

  #ownToken(registry: ConfiguredRegistry): string | undefined {
    const { home, env } = this.#options;
    return tokenFor(registry, { home, env, own: this.open().config.own });
  }

  /** Saves a token once the server has accepted it. */
  async login(registry: string | undefined, token: string, signal: AbortSignal) {
    const { config } = this.open().publisher.server(registry);
    // The project could have given the name of the user's own registry to another address.
    if (config.origin !== "user") throw notOwnRegistry(config.name);
    this.#given = { registry: config.name, token };
    try {
      const { name, email } = await this.open().publisher.whoami(config.name, signal);
      await this.credentials.save(config, token, { username: name, email });
      return { registry: config.name, name, email };
    } finally {
      this.#given = undefined;
    }
  }

  /** Writes a definition, with what it extends, in another form below a folder of the project. */
  async exportTo(request: ExportRequest, signal: AbortSignal): Promise<Exported> {
    const { name, to, type, folder, force, dryRun } = request;
    const { resolver, reader } = this.open();
    const resolved = await resolver.resolveAny({ name }, type, signal);
    const definition = await resolved.load();
    const fields = await reader.fieldsOf(resolved, definition, signal);
    const files = exportDefinition({ ...definition, fields }, to).map(({ path, text }) => ({
      path: join(folder, path),
      text,
    }));
    await writeExported(this.#options.projectRoot, files, { force, dryRun });
    return {
      name: resolved.name,
      type: resolved.kind,
      dryRun,
      files: files.map(({ path, text }) => ({ path: join(this.projectRoot, path), text })),
    };
  }

  #build(): OpenLibrary {
    const { projectRoot, home, fetcher, isTrusted = alwaysTrusted } = this.#options;
    const config = loadConfig(this.#options);
    const cache = new Cache(config.cache.directory, join(home, ".fractary", "registry", "cache"));
    const roots = rootsFor(config, projectRoot, home);
    const own = roots.filter(({ layout }) => layout !== "client").map(({ folder }) => folder);
    const allowed = new AllowedRoots([projectRoot, ...own]);
    const clients = roots.filter(({ layout, source }) => layout === "client" && source === "global");
    const readable = new AllowedRoots([
      ...allowed.folders,
      ...clients.flatMap(({ folder }) => [join(folder, "agents"), join(folder, "skills")]),
    ]);
    const http = new RegistryHttp({
      cache,
      fetcher,
      tokenFor: (registry) => this.tokenFor(registry),
      isTrusted,
    });
    const registries = config.registries
      .filter(({ enabled }) => enabled && config.resolution.stockyard)
      .flatMap((registry) => this.#connect(registry, http, cache));
    const remote = new RemoteRegistries(registries);
    const store = new DefinitionStore(roots, readable, cache);
    const resolver = new DefinitionResolver({ config, store, remote });
    const reader = new DefinitionReader(resolver);
    const validator = new Validator({ store, resolver, reader, allowed, projectRoot });
    const registryFolder = config.paths.global;
    const plugins = new Plugins({ store, remote, registryFolder });
    const forks = new Forks({ store, resolver, remote, files: this.files, registryFolder });
    const installer = new Installer({
      remote,
      store,
      places: new PluginPlaces(store, {
        local: { base: projectRoot, names: [".fractary", "plugins"] },
        global: { base: registryFolder, names: ["plugins"] },
      }),
      known: () => new KnownPackages(home),
    });
    const publisher = new Publisher({ registries, projectRoot, home });
    return { config, cache, store, resolver, reader, validator, plugins, forks, remote, installer, publisher };
  }

  #connect(registry: ConfiguredRegistry, http: RegistryHttp, cache: Cache): RemoteRegistry[] {
    if (registry.type === "stockyard") return [new Stockyard(registry, http)];
    if (registry.type === "manifest") return [new ManifestRegistry(registry, http)];
    // A project may name folders of its own; any other must be named by the user.
    const root = realPlace(this.#options.projectRoot);
    const isAllowed = registry.origin === "user" || (realPathOf(registry.url) ?? registry.url).startsWith(`${root}/`);
    const { isTrusted = alwaysTrusted } = this.#options;
    return isAllowed ? [new FolderRegistry(registry, cache, isTrusted)] : [];
  }
}

function rootsFor({ paths, resolution }: Config, projectRoot: string, home: string): DefinitionRoot[] {
  const isHome = realPlace(projectRoot) === realPlace(home);
  const inProject = (name: string) => join(projectRoot, name);
  const local: DefinitionRoot[] = [
    { source: "local", folder: inProject(".fractary"), layout: "fractary" },
    ...paths.agents.map((folder) => ({ source: "local" as const, folder, layout: "agents" as const })),
    ...paths.tools.map((folder) => ({ source: "local" as const, folder, layout: "tools" as const })),
    ...(isHome
      ? []
      : [
          { source: "local" as const, folder: inProject(".claude"), layout: "client" as const },
          { source: "local" as const, folder: inProject(".agents"), layout: "client" as const },
          { source: "local" as const, folder: projectRoot, layout: "project" as const },
        ]),
  ];
  const usersOwn: DefinitionRoot[] = [
    { source: "global", folder: paths.global, layout: "fractary" },
    { source: "global", folder: join(home, ".claude"), layout: "client" },
    { source: "global", folder: join(home, ".agents"), layout: "client" },
  ];
  // A link in the project may lead to the user's own files, which are none of its definitions.
  const top = realPlace(projectRoot);
  const isInside = ({ folder }: DefinitionRoot) =>
    !folder.startsWith(`${projectRoot}/`) || (realPathOf(folder)?.startsWith(`${top}/`) ?? true);
  return [...(resolution.local ? local.filter(isInside) : []), ...(resolution.global ? usersOwn : [])];
}
