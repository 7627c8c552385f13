import { visible } from "../../../../kernel/text/visible.ts";
import { highest, isAnyVersion, isBreakingStep, isRange, satisfies } from "../definitions/versions.ts";
import {
  dependencyConflict,
  pluginNotFound,
  registriesDown,
  tooManyDependencies,
  wrongName,
  wrongRange,
} from "../errors.ts";
import { pluginYanked } from "../packages/errors.ts";
import { isPluginName } from "../plugins/manifest.ts";
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
/** Of all packages together. */
const maxNeeds = 2_000;
/** How often another version of a package is tried: two can need each other in ever older versions. */
const maxTimes = 20;

/** Works out which version of which plugin is installed, dependencies included. Fetches no package. */
export class InstallPlanner {
  readonly #remote: RemoteRegistries;
  readonly #options: Options;
  readonly #offers = new Map<string, PluginOffers>();
  readonly #ranges = new Map<string, { range: string; path: string[] }[]>();
  readonly #chosen = new Map<string, Chosen & { needs: string[]; times: number }>();
  readonly #warnings: string[] = [];

  constructor(remote: RemoteRegistries, options: Options) {
    this.#remote = remote;
    this.#options = options;
  }

  async plan(wanted: readonly Wanted[]): Promise<Plan> {
    const queue = [...wanted];
    const [first] = wanted;
    for (let [next, needs] = [queue.shift(), 0]; next; next = queue.shift()) {
      this.#options.signal.throwIfAborted();
      queue.push(...(await this.#add(next)));
      if (needs++ > maxNeeds || this.#chosen.size > maxPackages)
        throw tooManyDependencies(first?.name ?? next.name, maxPackages);
    }
    return { chosen: this.#inOrder(wanted), warnings: [...new Set(this.#warnings)] };
  }

  /** Chooses a version of what is wanted, and returns what that one needs. */
  async #add({ name, range = "latest", path }: Wanted): Promise<Wanted[]> {
    if (!isPluginName(name)) throw wrongName(name);
    if (!isRange(range)) throw wrongRange(range);
    const ranges = [...(this.#ranges.get(name) ?? []), { range, path }];
    this.#ranges.set(name, ranges);
    const before = this.#chosen.get(name);
    // It was the highest that the others accept.
    if (before && satisfies(before.offer.version, range)) return [];
    const times = (before?.times ?? 0) + 1;
    if (times > maxTimes) throw dependencyConflict(name, ranges.slice(-3));
    const offers = await this.#offersOf(name);
    const offer = this.#choose(offers, ranges);
    const needed = this.#options.withDependencies ? Object.entries(await offer.dependencies()) : [];
    if (needed.length > maxPackages) throw tooManyDependencies(name, maxPackages);
    const needs = needed.map(([dependency]) => dependency);
    this.#chosen.set(name, { offers, offer, requiredBy: path.slice(0, -1), needs, times });
    return needed.map(([dependency, wanted]) => ({ name: dependency, range: wanted, path: [...path, dependency] }));
  }

  /** What is needed comes before what needs it; what only a version needed that was given up again is left out. */
  #inOrder(wanted: readonly Wanted[]): Chosen[] {
    const seen = new Set<string>();
    const ordered: Chosen[] = [];
    const visit = (name: string) => {
      const one = this.#chosen.get(name);
      if (!one || seen.has(name)) return;
      seen.add(name);
      for (const needed of one.needs) visit(needed);
      const { offers, offer, requiredBy } = one;
      ordered.push({ offers, offer, requiredBy });
    };
    for (const { name } of wanted) visit(name);
    return ordered;
  }

  async #offersOf(name: string): Promise<PluginOffers> {
    const known = this.#offers.get(name);
    if (known) return known;
    const { items, stale, warnings, asked } = await this.#remote.offers(name, { signal: this.#options.signal });
    const [offers] = items;
    if (!offers && warnings.length > 0) throw registriesDown(asked, warnings);
    if (!offers) throw pluginNotFound(name, asked, []);
    this.#warnings.push(...this.#options.known.checkIndex(offers));
    if (stale) this.#warnings.push(`${offers.registry.name} could not be reached; its last answer was used.`);
    this.#offers.set(name, offers);
    return offers;
  }

  /** The highest that everyone who needs it accepts. A withdrawn one counts only where the lock file has it. */
  #choose({ name, offers }: PluginOffers, ranges: readonly { range: string; path: string[] }[]): PluginOffer {
    const needed = [...new Set(ranges.map(({ range }) => range))];
    const accepted = offers.filter(({ version }) => needed.every((range) => satisfies(version, range)));
    const locked = this.#options.lock.plugins.find((plugin) => plugin.name === name)?.version;
    const kept = accepted.find(({ version }) => version === locked);
    if (kept && this.#options.keepLocked) {
      if (kept.yanked !== undefined)
        this.#warnings.push(
          `${name} ${kept.version}, which the lock file names, was withdrawn: ${visible(kept.yanked)}`,
        );
      return kept;
    }
    const best = highest(
      accepted.filter(({ yanked }) => yanked === undefined),
      ({ version }) => version,
      needed.filter((range) => !isAnyVersion(range)).slice(0, 1),
    );
    if (best) return best;
    const [withdrawn] = accepted;
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
