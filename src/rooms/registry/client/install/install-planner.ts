import { highest, isBreakingStep, satisfies } from "../definitions/versions.ts";
import { dependencyConflict, pluginNotFound, registriesDown, tooManyDependencies } from "../errors.ts";
import { pluginYanked } from "../packages/errors.ts";
import type { RemoteRegistries } from "../sources/remote-registries.ts";
import type { KnownPackages } from "./known-packages.ts";
import type { Lockfile } from "./lockfile.ts";
import type { PluginOffer, PluginOffers } from "./offers.ts";

export type Wanted = { name: string; range?: string | undefined; path: string[] };
export type Chosen = { offers: PluginOffers; offer: PluginOffer; requiredBy: string[] };
export type Plan = { chosen: Chosen[]; warnings: string[] };

type Options = {
  lock: Lockfile;
  known: KnownPackages;
  /** Whether a locked version counts more than a newer one. */
  keepLocked: boolean;
  withDependencies: boolean;
  signal: AbortSignal;
};

const maxPackages = 200;

/** Works out which version of which plugin is installed, dependencies included. Fetches no package. */
export class InstallPlanner {
  readonly #remote: RemoteRegistries;
  readonly #options: Options;
  readonly #offers = new Map<string, PluginOffers>();
  readonly #ranges = new Map<string, { range: string; path: string[] }[]>();
  readonly #chosen = new Map<string, Chosen>();
  readonly #warnings: string[] = [];

  constructor(remote: RemoteRegistries, options: Options) {
    this.#remote = remote;
    this.#options = options;
  }

  async plan(wanted: readonly Wanted[]): Promise<Plan> {
    const queue = [...wanted];
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { name, range = "latest", path } = next;
      const ranges = [...(this.#ranges.get(name) ?? []), { range, path }];
      this.#ranges.set(name, ranges);
      const offers = await this.#offersOf(name);
      const offer = this.#choose(offers, ranges);
      if (this.#chosen.get(name)?.offer.version === offer.version) continue;
      this.#chosen.set(name, { offers, offer, requiredBy: path.slice(0, -1) });
      if (this.#chosen.size > maxPackages) throw tooManyDependencies(wanted[0]?.name ?? name, maxPackages);
      if (!this.#options.withDependencies) continue;
      for (const [dependency, needed] of Object.entries(await offer.dependencies()))
        queue.push({ name: dependency, range: needed, path: [...path, dependency] });
    }
    // What is needed comes before what needs it.
    return { chosen: [...this.#chosen.values()].reverse(), warnings: [...new Set(this.#warnings)] };
  }

  async #offersOf(name: string): Promise<PluginOffers> {
    const known = this.#offers.get(name);
    if (known) return known;
    const { items, warnings, asked } = await this.#remote.offers(name, { signal: this.#options.signal });
    const [offers] = items;
    if (!offers && warnings.length > 0) throw registriesDown(asked, warnings);
    if (!offers) throw pluginNotFound(name, asked, []);
    this.#warnings.push(...this.#options.known.checkIndex(offers));
    this.#offers.set(name, offers);
    return offers;
  }

  /** The highest that everyone who needs it accepts. A withdrawn one counts only where the lock file has it. */
  #choose({ name, offers }: PluginOffers, ranges: readonly { range: string; path: string[] }[]): PluginOffer {
    const locked = this.#options.lock.plugins.find((plugin) => plugin.name === name)?.version;
    const accepted = (offer: PluginOffer) => ranges.every(({ range }) => satisfies(offer.version, range));
    const kept = offers.find((offer) => offer.version === locked && accepted(offer));
    if (kept && this.#options.keepLocked) {
      if (kept.yanked !== undefined)
        this.#warnings.push(`${name} ${kept.version}, which the lock file names, was withdrawn: ${kept.yanked}`);
      return kept;
    }
    const usable = offers.filter(({ yanked }) => yanked === undefined);
    const best = highest(
      usable,
      ({ version }) => version,
      ranges.map(({ range }) => range),
    );
    if (best) return best;
    const withdrawn = offers.find((offer) => offer.yanked !== undefined && accepted(offer));
    if (withdrawn) throw pluginYanked(name, withdrawn.version, withdrawn.yanked ?? "");
    if (ranges.length > 1) throw dependencyConflict(name, ranges);
    throw pluginNotFound(name, [], [], ranges[0]?.range);
  }
}

/** The newest version that an update takes: no breaking step unless that was asked for. */
export function updateRange(installed: string, offers: readonly PluginOffer[], isMajor: boolean): string | undefined {
  const usable = offers.filter(
    ({ version, yanked }) => yanked === undefined && (isMajor || !isBreakingStep(installed, version)),
  );
  return highest(usable, ({ version }) => version, [])?.version;
}
