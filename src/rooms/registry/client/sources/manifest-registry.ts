import { extname } from "node:path";
import { valid } from "semver";
import { once } from "../../../../kernel/definitions/room.ts";
import { isRecord } from "../../../../kernel/json.ts";
import type { ConfiguredRegistry } from "../config/config.ts";
import { authorIn, namesIn, textIn } from "../definitions/field-values.ts";
import { DefinitionFault, maxDefinitionBytes, parseDefinition } from "../definitions/parse-definition.ts";
import { compareVersions, highest, highestOfEach, noVersion } from "../definitions/versions.ts";
import { wrongAnswer } from "../errors.ts";
import type { FetchedPackage, PluginOffer, PluginOffers } from "../install/offers.ts";
import { hostilePackage, weakIntegrity } from "../packages/errors.ts";
import { PackageFiles } from "../packages/package-files.ts";
import { pluginFacts } from "../plugins/manifest.ts";
import type { Fields, Kind, SearchResult } from "../types.ts";
import { parseAnswer, type RegistryHttp } from "./registry-http.ts";
import {
  type Asked,
  type Found,
  matches,
  type RemotePlugin,
  type RemoteRegistry,
  type RemoteVersion,
} from "./remote-registry.ts";
import { withText } from "./stockyard.ts";

const maxPlugins = 5_000;
const maxManifests = 500;
const atOnce = 8;
const maxParts = 1_000;
const partKinds = ["agents", "tools", "workflows", "templates", "commands", "hooks"];

/** A `registry.json` over HTTP: a list of plugins, each with the address of its manifest. */
export class ManifestRegistry implements RemoteRegistry {
  readonly config: ConfiguredRegistry;
  readonly #http: RegistryHttp;

  constructor(config: ConfiguredRegistry, http: RegistryHttp) {
    this.config = config;
    this.#http = http;
  }

  async list(kind: Kind, asked: Asked): Promise<Found<RemoteVersion>> {
    const { items, stale } = await this.#definitions(kind, asked);
    return { items: highestOfEach(items), stale };
  }

  async versions(kind: Kind, name: string, asked: Asked): Promise<Found<RemoteVersion>> {
    const { items, stale } = await this.#definitions(kind, asked);
    return { items: items.filter((item) => item.name === name), stale };
  }

  async plugin(name: string, version: string | undefined, asked: Asked): Promise<Found<RemotePlugin>> {
    const { items, stale } = await this.#plugins(asked);
    const own = items.filter((entry) => textIn(entry, "name") === name);
    const versionIn = (entry: Fields) => textIn(entry, "version") ?? noVersion;
    const entry = highest(own, versionIn, [version]);
    if (!entry) return { items: [], stale };
    const manifest = await this.#manifest(entry, asked);
    const versions = own.map(versionIn).sort((a, b) => compareVersions(b, a));
    const path = textIn(entry, "manifest_url") ?? this.config.url;
    return { stale, items: [{ name, version: versionIn(entry), versions, fields: { ...entry, ...manifest }, path }] };
  }

  /** The manifest and its parts, each compared with its published checksum; one without any is not taken. */
  async offers(name: string, asked: Asked): Promise<Found<PluginOffers>> {
    const { items, stale } = await this.#plugins(asked);
    const offers = items
      .filter((entry) => textIn(entry, "name") === name)
      .flatMap((entry): PluginOffer[] => {
        const version = textIn(entry, "version") ?? noVersion;
        if (valid(version) !== version) return [];
        const manifest = once(async () => {
          if (checksumIn(entry) === undefined)
            throw weakIntegrity(`The manifest of ${name}`, textIn(entry, "checksum"));
          const found = await this.#manifest(entry, asked);
          if (!found) throw wrongAnswer(this.config.name, `it lists ${name} without a manifest`);
          const own = textIn(found, "name");
          if (own !== name) throw hostilePackage(`its manifest is for ${own ?? "no plugin"} instead of ${name}`);
          const ownVersion = textIn(found, "version") ?? version;
          if (ownVersion !== version)
            throw hostilePackage(`its manifest is for ${name} ${ownVersion} instead of ${version}`);
          return found;
        });
        return [
          {
            version,
            dependencies: async () => pluginFacts(await manifest()).dependencies ?? {},
            fetch: async () => this.#fetchParts(name, await manifest(), asked),
          },
        ];
      });
    return { items: offers.length > 0 ? [{ name, registry: this.config, offers }] : [], stale };
  }

  async #fetchParts(name: string, manifest: Fields, asked: Asked): Promise<FetchedPackage> {
    const { integrityOfFiles } = await import("../packages/archive.ts");
    const gathered = new PackageFiles();
    const add = (path: string, text: string) => {
      const bytes = Buffer.from(text);
      gathered.add({ path: gathered.announce(path, bytes.length), bytes, isExecutable: false });
    };
    add("plugin.json", `${JSON.stringify(manifest, undefined, 2)}\n`);
    const listed = partKinds.map((kind) => ({ kind, parts: Array.isArray(manifest[kind]) ? manifest[kind] : [] }));
    // Each one is a request.
    if (listed.reduce((sum, { parts }) => sum + parts.length, 0) > maxParts)
      throw hostilePackage(`${name} lists more than ${maxParts} files`);
    for (const { kind, parts } of listed) {
      for (const part of parts.filter(isRecord)) {
        const [own, source, checksum] = [textIn(part, "name"), textIn(part, "source"), checksumIn(part)];
        if (own === undefined || source === undefined || !URL.canParse(source, this.config.url))
          throw hostilePackage(`${name} lists something in ${kind} that has no name or address`);
        if (checksum === undefined) throw weakIntegrity(`${own} of ${name}`, textIn(part, "checksum"));
        const url = new URL(source, this.config.url);
        const answer = await this.#http.get(this.config, { ...asked, url: url.href, checksum, bucket: "downloads" });
        if (!answer) throw wrongAnswer(this.config.name, `it lists ${own} at an address that does not have it`);
        add(`${kind}/${own}${extname(url.pathname)}`, answer.text);
      }
    }
    return { files: gathered.files, integrity: integrityOfFiles(gathered.files) };
  }

  async search(query: string, asked: Asked): Promise<Found<SearchResult>> {
    const { items, stale } = await this.#plugins(asked);
    const results = items.map(
      (entry): SearchResult => ({
        name: textIn(entry, "name") ?? "",
        version: textIn(entry, "version") ?? noVersion,
        ...withText("description", textIn(entry, "description")),
        ...withText("author", authorIn(entry)),
        ...(namesIn(entry, "tags") && { tags: namesIn(entry, "tags") ?? [] }),
        registry: this.config.name,
      }),
    );
    return { items: results.filter((result) => matches(query, result)), stale };
  }

  async #plugins(asked: Asked): Promise<Found<Fields>> {
    const answer = await this.#http.get(this.config, { ...asked, url: this.config.url });
    if (!answer) {
      if (asked.onlyCached) return { items: [], stale: true };
      throw wrongAnswer(this.config.name, "its address does not have a registry.json");
    }
    const { plugins, bundles } = parseAnswer(answer.text, this.config);
    const listed = plugins ?? bundles;
    if (!Array.isArray(listed)) throw wrongAnswer(this.config.name, "it has no list of plugins");
    const items = listed
      .slice(0, maxPlugins)
      .filter(isRecord)
      .filter((entry) => textIn(entry, "name") !== undefined);
    return { items, stale: answer.stale };
  }

  /** The manifest's bytes are what the list's checksum is of. */
  async #manifest(entry: Fields, asked: Asked): Promise<Fields | undefined> {
    const given = textIn(entry, "manifest_url");
    if (given === undefined || !URL.canParse(given, this.config.url)) return undefined;
    const url = new URL(given, this.config.url).href;
    const checksum = checksumIn(entry);
    const answer = await this.#http.get(this.config, { ...asked, url, checksum });
    return answer && parseAnswer(answer.text, this.config);
  }

  /** Every agent or tool that some plugin of the list has. */
  async #definitions(kind: Kind, asked: Asked): Promise<Found<RemoteVersion>> {
    const { items: plugins, stale } = await this.#plugins(asked);
    const queue = plugins.slice(0, maxManifests);
    const found: RemoteVersion[] = [];
    const work = async () => {
      for (let entry = queue.shift(); entry; entry = queue.shift()) {
        const manifest = await this.#manifest(entry, asked);
        const parts = manifest?.[`${kind}s`];
        if (Array.isArray(parts))
          found.push(...parts.filter(isRecord).flatMap((part) => this.#remote(kind, part, asked)));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return { items: found.sort((a, b) => (a.name < b.name ? -1 : 1)), stale };
  }

  #remote(kind: Kind, part: Fields, asked: Asked): RemoteVersion[] {
    const name = textIn(part, "name");
    const source = textIn(part, "source");
    if (name === undefined || source === undefined || !URL.canParse(source, this.config.url)) return [];
    const url = new URL(source, this.config.url).href;
    return [
      {
        name,
        version: textIn(part, "version") ?? noVersion,
        ...withText("description", textIn(part, "description")),
        ...(namesIn(part, "tags") && { tags: namesIn(part, "tags") ?? [] }),
        path: url,
        load: () => this.#load(kind, name, url, checksumIn(part), asked),
      },
    ];
  }

  async #load(kind: Kind, name: string, url: string, checksum: string | undefined, asked: Asked) {
    const answer = await this.#http.get(this.config, { ...asked, url, checksum, bucket: "downloads" });
    if (!answer) throw wrongAnswer(this.config.name, `it lists ${name} at an address that does not have it`);
    if (answer.text.length > maxDefinitionBytes)
      throw wrongAnswer(this.config.name, `its definition of ${name} is too large`);
    try {
      return parseDefinition(answer.text, { path: new URL(url).pathname, kind, fallbackName: name });
    } catch (error) {
      if (error instanceof DefinitionFault) throw wrongAnswer(this.config.name, `${name}: ${error.message}`);
      throw error;
    }
  }
}

function checksumIn(fields: Fields): string | undefined {
  const checksum = textIn(fields, "checksum");
  return checksum !== undefined && /^sha256:[0-9a-f]{64}$/i.test(checksum) ? checksum : undefined;
}
