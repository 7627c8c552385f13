import { join } from "node:path";
import { makeFoldersBelow } from "../../../../platform/files/write/replace-folder.ts";
import { noVersion } from "../definitions/versions.ts";
import type { DefinitionStore } from "../places/definition-store.ts";
import { LockStore } from "./lockfile.ts";

export type InstallScope = "local" | "global";
/** The project, and the user's registry folder. */
type Folders = Record<InstallScope, { base: string; names: string[] }>;

/** Where plugins are installed. */
export class PluginPlaces {
  readonly #store: DefinitionStore;
  readonly #folders: Folders;

  constructor(store: DefinitionStore, folders: Folders) {
    this.#store = store;
    this.#folders = folders;
  }

  get projectRoot(): string {
    return this.#folders.local.base;
  }

  async listInstalled(scope: InstallScope): Promise<{ name: string; version: string; folder: string }[]> {
    const { plugins } = await this.#store.all();
    const { base, names } = this.#folders[scope];
    const within = join(base, ...names);
    return plugins
      .filter(({ folder }) => folder.startsWith(`${within}/`))
      .map(({ name, folder, manifest }) => ({ name, folder, version: manifest?.version ?? noVersion }));
  }

  /** The folder that has them all; made where it is missing. */
  async pluginsFolder(scope: InstallScope): Promise<string> {
    const { base, names } = this.#folders[scope];
    return makeFoldersBelow(base, names);
  }

  /** `@scope/name` is two folders. */
  async preparePluginPlace(
    name: string,
    scope: InstallScope,
    dryRun: boolean,
  ): Promise<{ parent: string; leaf: string }> {
    const { base, names } = this.#folders[scope];
    const steps = name.split("/");
    const leaf = steps.pop() ?? name;
    const parent = dryRun ? join(base, ...names, ...steps) : await makeFoldersBelow(base, [...names, ...steps]);
    return { parent, leaf };
  }

  lockStore(scope: InstallScope): LockStore {
    const { base, names } = this.#folders[scope];
    return new LockStore(join(base, ...names.slice(0, -1)), scope);
  }
}
