import { basename, dirname, isAbsolute, join } from "node:path";
import type { Progress } from "../../../../kernel/calls/call.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { entryAt } from "../../../../platform/files/entry-at.ts";
import { withFolderLock } from "../../../../platform/files/write/folder-lock.ts";
import { originalName, removeFolder, replaceFolder } from "../../../../platform/files/write/replace-folder.ts";
import { noVersion } from "../definitions/versions.ts";
import { pluginNotFound, registriesDown } from "../errors.ts";
import { notInstalled, reservedName } from "../packages/errors.ts";
import type { PackageFile } from "../packages/package-files.ts";
import type { DefinitionStore } from "../places/definition-store.ts";
import { findManifest, isPluginNamed } from "../plugins/manifest.ts";
import type { RemoteRegistries } from "../sources/remote-registries.ts";
import { type Chosen, InstallPlanner, type Plan, updateRange, type Wanted } from "./install-planner.ts";
import { readRecord, recordOf } from "./installed.ts";
import type { KnownPackages } from "./known-packages.ts";
import { fieldsChecksum, type LockedPart, type Lockfile } from "./lockfile.ts";
import { planFolder } from "./plan-folder.ts";
import type { InstallScope, PluginPlaces } from "./plugin-places.ts";
import { assertSameOrigin, selectFiles, verifyPackage } from "./verify-package.ts";
import { parseLocked, parseWanted, want } from "./wanted.ts";

type Parts = {
  remote: RemoteRegistries;
  store: DefinitionStore;
  places: PluginPlaces;
  known: () => KnownPackages;
};

type InstallOptions = {
  scope: InstallScope;
  /** Only parts of these kinds; empty for all. */
  only?: string[];
  /** Kinds of parts that are left out. */
  without?: string[];
  withDependencies?: boolean;
  /** Also installs again what is there in the same version, and accepts that a version has changed. */
  force?: boolean;
  dryRun?: boolean;
  signal: AbortSignal;
  report?(progress: Progress): void;
};

export type InstallStep = {
  name: string;
  version: string;
  /** The version that it replaces. */
  from?: string | undefined;
  registry: string;
  requiredBy?: string | undefined;
  size?: number | undefined;
  signed: boolean;
  path: string;
  change: "install" | "update" | "unchanged";
};
export type Installed = { steps: InstallStep[]; dryRun: boolean; warnings: string[]; lockfile: string };

/** Installs, updates and removes plugins. Nothing is written before every package was fetched and found right. */
export class Installer {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get #places(): PluginPlaces {
    return this.#parts.places;
  }

  /** A plugin of a registry or a folder and what it needs; with no name, what the lock file has. */
  async install(name: string | undefined, options: InstallOptions): Promise<Installed> {
    const lock = await this.#places.lockStore(options.scope).read();
    const known = await this.#openKnown();
    const planner = this.#planner(lock, known, options, name === undefined);
    if (name !== undefined && isPath(name))
      return this.#apply(await planFolder(name, this.#places.projectRoot, planner), lock, known, options);
    const wanted = name === undefined ? lock.plugins.map((plugin) => parseLocked(plugin, lock)) : [parseWanted(name)];
    return this.#apply(await planner.plan(wanted), lock, known, options);
  }

  /** Newer versions of what is installed; across a breaking step only where that is asked for. */
  async update(name: string | undefined, isMajor: boolean, options: InstallOptions): Promise<Installed> {
    const lock = await this.#places.lockStore(options.scope).read();
    const known = await this.#openKnown();
    const installed = (await this.#places.listInstalled(options.scope)).filter(
      (plugin) => name === undefined || isPluginNamed(plugin.name, name),
    );
    if (name !== undefined && installed.length === 0) throw await this.#notInstalled(name, options.scope);
    const wanted: Wanted[] = [];
    const notUpdated: string[] = [];
    for (const plugin of installed) {
      try {
        const newest = await this.#newestOf(plugin, isMajor, options.signal);
        if (newest !== undefined) wanted.push(want(plugin.name, newest));
      } catch (error) {
        const isGone = error instanceof ForgeError && error.code === "PLUGIN_NOT_FOUND";
        if (name !== undefined || !(error instanceof ForgeError)) throw error;
        if (!isGone) notUpdated.push(`${plugin.name} was not updated. ${error.message}`);
      }
    }
    const { chosen, warnings } = await this.#planner(lock, known, options, false).plan(wanted);
    return this.#apply({ chosen, warnings: [...notUpdated, ...warnings] }, lock, known, options);
  }

  /** The version that an update takes; undefined where none fits. */
  async #newestOf(
    { name, version, folder }: { name: string; version: string; folder: string },
    isMajor: boolean,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { items, warnings, asked } = await this.#parts.remote.offers(name, { signal });
    const [offers] = items;
    if (!offers) throw warnings.length > 0 ? registriesDown(asked, warnings) : pluginNotFound(name, asked, []);
    const newest = updateRange(version, offers.offers, isMajor);
    if (newest !== undefined && newest !== version) assertSameOrigin({ offers }, folder);
    return newest;
  }

  async uninstall(
    name: string,
    { scope, dryRun = false, signal }: InstallOptions,
  ): Promise<{ name: string; path: string; dryRun: boolean }> {
    const all = await this.#places.listInstalled(scope);
    const found = all.find((plugin) => plugin.name === name) ?? all.find((plugin) => isPluginNamed(plugin.name, name));
    if (!found) throw await this.#notInstalled(name, scope);
    // Where it is, and not where its manifest says that it would be: that may be another plugin's folder.
    const [parent, folder] = [dirname(found.folder), basename(found.folder)];
    const leaf = originalName(folder) ?? folder;
    const path = join(parent, leaf);
    if (dryRun) return { name: found.name, path, dryRun };
    await withFolderLock(
      await this.#places.pluginsFolder(scope),
      async () => {
        await removeFolder(parent, leaf);
        const store = this.#places.lockStore(scope);
        const lock = await store.read();
        const isOther = (plugin: string) => plugin !== found.name;
        await store.write({
          plugins: lock.plugins.filter((plugin) => isOther(plugin.name)),
          parts: lock.parts.filter((part) => isOther(String(part.rest["plugin"] ?? ""))),
        });
      },
      signal,
    );
    return { name: found.name, path, dryRun };
  }

  /** Writes down what is installed and defined here, as it is now. */
  async lock({
    scope,
    dryRun = false,
    signal,
  }: InstallOptions): Promise<{ path: string; plugins: number; parts: number; dryRun: boolean; warnings: string[] }> {
    const before = await this.#places.lockStore(scope).read();
    const { entries } = await this.#parts.store.all();
    const warnings: string[] = [];
    const parts: LockedPart[] = [];
    for (const entry of entries.filter(({ source }) => source === scope)) {
      const checksum = fieldsChecksum((await this.#parts.store.load(entry)).fields);
      const kind = `${entry.kind}s`;
      const last = before.parts.find((part) => part.kind === kind && part.name === entry.name);
      if (last?.version === entry.version && last.checksum !== undefined && last.checksum !== checksum)
        warnings.push(`${entry.name} ${entry.version} was changed since it was locked.`);
      const rest = {
        resolved: scope,
        installed_path: entry.path,
        ...(entry.plugin !== undefined && { plugin: entry.plugin }),
      };
      parts.push({ kind, name: entry.name, version: entry.version, checksum, rest });
    }
    const plugins = (await this.#places.listInstalled(scope)).flatMap(({ folder }) => {
      const record = readRecord(folder);
      return record ? [{ ...record, installed_path: folder, installed_at: record.installedAt }] : [];
    });
    const locked = plugins.map(({ installedAt: _, ...plugin }) => plugin);
    if (!dryRun)
      await withFolderLock(
        await this.#places.pluginsFolder(scope),
        () => this.#places.lockStore(scope).write({ plugins: locked, parts }),
        signal,
      );
    return { path: before.path, plugins: locked.length, parts: parts.length, dryRun, warnings };
  }

  async #apply(
    { chosen, warnings }: Plan,
    lock: Lockfile,
    known: KnownPackages,
    options: InstallOptions,
  ): Promise<Installed> {
    const { scope, dryRun = false, force = false, signal, report } = options;
    const planned = await Promise.all(chosen.map((one) => this.#step(one, options)));
    const work = planned.filter(({ step }) => force || step.change !== "unchanged");
    const steps = planned.map(({ step }) => step);
    const result = { steps, dryRun, warnings: [...warnings], lockfile: lock.path };
    if (dryRun) return result;
    for (const { one, step } of work) if (step.change === "update" && !force) assertSameOrigin(one, step.path);
    const total = work.length * 2;
    const ready: { one: Chosen; step: InstallStep; files: PackageFile[]; integrity: string }[] = [];
    for (const { one, step } of work) {
      signal.throwIfAborted();
      report?.({ progress: ready.length, total, message: `Fetching ${step.name} ${step.version}` });
      const { files, integrity } = await one.offer.fetch();
      verifyPackage(one, integrity, lock, known, force);
      if (!step.signed && one.offers.registry.type === "stockyard")
        result.warnings.push(`${step.name} ${step.version} is not signed.`);
      ready.push({ one, step, files: selectFiles(files, options), integrity });
    }
    await known.save();
    await withFolderLock(
      await this.#places.pluginsFolder(scope),
      async () => {
        for (const [index, { one, step, files, integrity }] of ready.entries()) {
          report?.({ progress: ready.length + index, total, message: `Installing ${step.name} ${step.version}` });
          const { parent, leaf } = await this.#places.preparePluginPlace(step.name, scope, false);
          const record = {
            name: step.name,
            version: step.version,
            integrity,
            registry: one.offers.registry.url,
            installedAt: new Date().toISOString(),
          };
          await replaceFolder(parent, leaf, [...files, recordOf(record)]);
          const { installedAt, ...facts } = record;
          await this.#remember({ ...facts, installed_path: step.path, installed_at: installedAt }, scope);
        }
      },
      signal,
    );
    report?.({ progress: total, total, message: "Done" });
    return result;
  }

  /** One at a time, right after its folder: an interruption leaves a lock file that is true of all that is there but one. */
  async #remember(plugin: Lockfile["plugins"][number], scope: InstallScope): Promise<void> {
    const store = this.#places.lockStore(scope);
    const { plugins, parts } = await store.read();
    await store.write({ plugins: [...plugins.filter(({ name }) => name !== plugin.name), plugin], parts });
  }

  async #step(one: Chosen, { scope, force }: InstallOptions): Promise<{ one: Chosen; step: InstallStep }> {
    const { offers, offer, requiredBy } = one;
    if (/^forge$/i.test(offers.name)) throw reservedName(offers.name);
    const { parent, leaf } = await this.#places.preparePluginPlace(offers.name, scope, true);
    const path = join(parent, leaf);
    const before = findManifest(path)?.version ?? (entryAt(path) ? noVersion : undefined);
    const change = before === undefined ? "install" : before === offer.version && !force ? "unchanged" : "update";
    const step: InstallStep = {
      name: offers.name,
      version: offer.version,
      ...(before !== undefined && { from: before }),
      registry: offers.registry.name,
      ...(requiredBy.length > 0 && { requiredBy: requiredBy.at(-1) ?? "" }),
      ...(offer.size !== undefined && { size: offer.size }),
      signed: offer.signature !== undefined,
      path,
      change,
    };
    return { one, step };
  }

  #planner(
    lock: Lockfile,
    known: KnownPackages,
    { withDependencies = true, signal }: InstallOptions,
    keepLocked: boolean,
  ): InstallPlanner {
    return new InstallPlanner(this.#parts.remote, { lock, known, keepLocked, withDependencies, signal });
  }

  async #openKnown(): Promise<KnownPackages> {
    const known = this.#parts.known();
    await known.load();
    return known;
  }

  async #notInstalled(name: string, scope: InstallScope) {
    const all = await this.#places.listInstalled(scope);
    return notInstalled(
      name,
      scope,
      all.map((plugin) => plugin.name),
    );
  }
}

function isPath(name: string): boolean {
  return name.startsWith(".") || isAbsolute(name);
}
