import { valid } from "semver";
import { isRecord } from "../../../../kernel/json.ts";
import type { ConfiguredRegistry } from "../config/config.ts";
import { type Definition, nameOf, versionOf } from "../definitions/definition.ts";
import { authorIn, lineIn, namesIn, recordIn, textIn } from "../definitions/field-values.ts";
import { DefinitionFault, maxDefinitionBytes, parseDefinition } from "../definitions/parse-definition.ts";
import { compareVersions, isVersion, noVersion } from "../definitions/versions.ts";
import { wrongAnswer } from "../errors.ts";
import type { PluginOffer, PluginOffers } from "../install/offers.ts";
import { hostilePackage } from "../packages/errors.ts";
import { readManifest } from "../packages/read-package.ts";
import { parseSignature, type Signature } from "../packages/signature.ts";
import { pluginFacts } from "../plugins/manifest.ts";
import type { Fields, Kind, SearchResult } from "../types.ts";
import { parseAnswer, type RegistryHttp } from "./registry-http.ts";
import type { Asked, Found, RemotePlugin, RemoteRegistry, RemoteVersion } from "./remote-registry.ts";

const pageSize = 100;
const maxPages = 20;
const maxVersions = 10_000;

/** A registry server. */
export class Stockyard implements RemoteRegistry {
  readonly config: ConfiguredRegistry;
  readonly #http: RegistryHttp;
  readonly #base: string;

  constructor(config: ConfiguredRegistry, http: RegistryHttp) {
    this.config = config;
    this.#http = http;
    let url = config.url;
    while (url.endsWith("/")) url = url.slice(0, -1);
    this.#base = /\/api\/v\d+$/.test(url) ? url : `${url}/api/v1`;
  }

  async list(kind: Kind, asked: Asked): Promise<Found<RemoteVersion>> {
    const { items, stale } = await this.#searchAll("", kind, asked);
    return { stale, items: items.map(({ fields }) => this.#remote(kind, textIn(fields, "name") ?? "", fields, asked)) };
  }

  async versions(kind: Kind, name: string, asked: Asked): Promise<Found<RemoteVersion>> {
    const answer = await this.#ask(`${kind}s/${encodeURIComponent(name)}/metadata`, asked);
    if (!answer) return { items: [], stale: false };
    const { fields, stale } = answer;
    const items = this.#usable(fields).map((version) => this.#remote(kind, name, { ...fields, version }, asked));
    return { items, stale };
  }

  async plugin(name: string, version: string | undefined, asked: Asked): Promise<Found<RemotePlugin>> {
    const path = `plugins/${encodeURIComponent(name)}`;
    const meta = await this.#ask(`${path}/metadata`, asked);
    if (!meta) return { items: [], stale: false };
    const versions = this.#usable(meta.fields).sort((a, b) => compareVersions(b, a));
    const wanted = version ?? versionIn(meta.fields, "latest") ?? versions[0] ?? noVersion;
    const manifest = await this.#ask(`${path}/versions/${encodeURIComponent(wanted)}`, asked);
    const own = manifest?.fields ?? {};
    const fields = { ...meta.fields, ...(recordIn(own, "manifest") ?? own), name };
    return { stale: meta.stale, items: [{ name, version: wanted, versions, fields, path: this.#url(path) }] };
  }

  async search(query: string, asked: Asked): Promise<Found<SearchResult>> {
    const { items, stale } = await this.#searchAll(query, "plugin", asked);
    return { stale, items: items.map(({ fields }) => this.#result(fields)) };
  }

  async offers(name: string, asked: Asked): Promise<Found<PluginOffers>> {
    const path = `plugins/${encodeURIComponent(name)}`;
    const meta = await this.#ask(`${path}/metadata`, asked);
    if (!meta) return { items: [], stale: false };
    const { serial, versions } = meta.fields;
    const generatedAt = Date.parse(textIn(meta.fields, "generatedAt") ?? "");
    const listed = (Array.isArray(versions) ? versions : []).slice(0, maxVersions).filter(isRecord);
    const offers = listed.flatMap((item) => this.#offer(name, path, item, asked));
    const found = {
      name,
      registry: this.config,
      offers,
      ...(Number.isSafeInteger(serial) && { serial: Number(serial) }),
      ...(!Number.isNaN(generatedAt) && { generatedAt }),
    };
    return { items: [found], stale: meta.stale };
  }

  #offer(name: string, path: string, item: Fields, asked: Asked): PluginOffer[] {
    const version = textIn(item, "version");
    if (version === undefined || valid(version) !== version) return [];
    const [integrity, signature] = [textIn(item, "integrity"), parseSignature(item["signature"])];
    const isYanked = item["yanked"] === true || item["status"] === "yanked";
    const { size } = item;
    const dependencies = pluginFacts(item).dependencies ?? {};
    const url = this.#url(`${path}/versions/${encodeURIComponent(version)}/archive`);
    return [
      {
        version,
        ...(isYanked && { yanked: lineIn(item, "reason") ?? "no reason given" }),
        ...(integrity !== undefined && { integrity }),
        ...(typeof size === "number" && { size }),
        ...(signature && { signature }),
        dependencies: async () => dependencies,
        fetch: async () => {
          const { integrityOf, readArchive } = await import("../packages/archive.ts");
          const archive = await this.#http.download(this.config, { ...asked, url, integrity });
          const files = await readArchive(archive);
          const manifest = readManifest(files);
          if (manifest.name !== name || manifest.version !== version)
            throw hostilePackage(`it is ${manifest.name} ${manifest.version} and not ${name} ${version}`);
          return { files, integrity: integrityOf(archive) };
        },
      },
    ];
  }

  /** Who the token belongs to, as the server says. */
  user(signal: AbortSignal): Promise<Fields> {
    return this.#http.send(this.config, { method: "GET", url: this.#url("user"), signal });
  }

  publish(upload: { archive: Uint8Array; integrity: string; signature: Signature | undefined }, signal: AbortSignal) {
    const { archive, ...rest } = upload;
    const json = { archive: Buffer.from(archive).toString("base64"), ...rest };
    return this.#http.send(this.config, { method: "POST", url: this.#url("plugins"), json, signal });
  }

  yank(name: string, version: string, reason: string | null, signal: AbortSignal): Promise<Fields> {
    const path = `plugins/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}/yank`;
    return this.#http.send(this.config, { method: "POST", url: this.#url(path), json: { reason }, signal });
  }

  #result(fields: Fields): SearchResult {
    const { downloads } = fields;
    return {
      name: textIn(fields, "name") ?? "",
      version: textIn(fields, "version") ?? textIn(fields, "latest") ?? noVersion,
      ...withText("description", textIn(fields, "description")),
      ...withText("author", authorIn(fields)),
      ...(namesIn(fields, "tags") && { tags: namesIn(fields, "tags") ?? [] }),
      ...(typeof downloads === "number" && { downloads }),
      registry: this.config.name,
    };
  }

  async #searchAll(query: string, type: string, asked: Asked): Promise<Found<{ fields: Fields }>> {
    const items: { fields: Fields }[] = [];
    let isStale = false;
    for (let page = 1; page <= maxPages; page++) {
      const parameters = new URLSearchParams({ q: query, type, page: String(page), pageSize: String(pageSize) });
      const answer = await this.#ask(`search?${parameters}`, asked);
      if (!answer) break;
      const { results, total } = answer.fields;
      if (!Array.isArray(results)) throw wrongAnswer(this.config.name, "a search has no list of results");
      isStale ||= answer.stale;
      const fitting = results
        .filter(isRecord)
        .filter((fields) => textIn(fields, "name") !== undefined && (fields["type"] ?? type) === type);
      items.push(...fitting.map((fields) => ({ fields })));
      if (results.length < pageSize || (typeof total === "number" && page * pageSize >= total)) break;
    }
    return { items, stale: isStale };
  }

  /** Versions as texts or objects; those that were withdrawn are not offered. */
  #usable(fields: Fields): string[] {
    const listed = Array.isArray(fields["versions"]) ? fields["versions"] : [];
    const versions = listed.flatMap((item) => {
      const version = isRecord(item) ? textIn(item, "version") : item;
      if (typeof version !== "string" || !isVersion(version)) return [];
      const isWithdrawn = isRecord(item) && (item["yanked"] === true || item["status"] === "yanked");
      return isWithdrawn ? [] : [version];
    });
    const latest = versionIn(fields, "latest") ?? versionIn(fields, "version");
    return versions.length > 0 || latest === undefined ? versions.slice(0, 10_000) : [latest];
  }

  #remote(kind: Kind, name: string, fields: Fields, asked: Asked): RemoteVersion {
    const version = textIn(fields, "version") ?? noVersion;
    const path = `${kind}s/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`;
    return {
      name,
      version,
      ...withText("description", textIn(fields, "description")),
      ...(namesIn(fields, "tags") && { tags: namesIn(fields, "tags") ?? [] }),
      path: this.#url(path),
      load: async () => this.#definition(kind, name, await this.#ask(path, asked)),
    };
  }

  #definition(kind: Kind, name: string, answer: { fields: Fields } | undefined): Definition {
    if (!answer) throw wrongAnswer(this.config.name, `it lists a version of ${name} that it does not have`);
    const content = textIn(answer.fields, "content");
    if (JSON.stringify(answer.fields).length > 2 * maxDefinitionBytes || (content?.length ?? 0) > maxDefinitionBytes)
      throw wrongAnswer(this.config.name, `its definition of ${name} is too large`);
    if (content !== undefined) return this.#parse(kind, name, content, answer.fields);
    const fields = recordIn(answer.fields, "definition") ?? answer.fields;
    const own = nameOf(fields);
    if (own !== undefined && own !== name)
      throw wrongAnswer(this.config.name, `it sent a definition other than ${name}`);
    return { kind, form: "yaml", name, version: versionOf(fields), fields, notes: [], lineOf: () => undefined };
  }

  #parse(kind: Kind, name: string, content: string, fields: Fields): Definition {
    const isMarkdown = content.startsWith("---") || /md|markdown/.test(textIn(fields, "format") ?? "");
    try {
      return parseDefinition(content, { path: `${name}.${isMarkdown ? "md" : "yaml"}`, kind, fallbackName: name });
    } catch (error) {
      if (error instanceof DefinitionFault) throw wrongAnswer(this.config.name, error.message);
      throw error;
    }
  }

  async #ask(path: string, asked: Asked): Promise<{ fields: Fields; stale: boolean } | undefined> {
    const answer = await this.#http.get(this.config, { ...asked, url: this.#url(path) });
    return answer && { fields: parseAnswer(answer.text, this.config), stale: answer.stale };
  }

  #url(path: string): string {
    return `${this.#base}/${path}`;
  }
}

function versionIn(fields: Fields, name: string): string | undefined {
  const version = textIn(fields, name);
  return version !== undefined && isVersion(version) ? version : undefined;
}

export function withText<Name extends string>(name: Name, value: string | undefined): { [key in Name]?: string } {
  return (value === undefined ? {} : { [name]: value }) as { [key in Name]?: string };
}
