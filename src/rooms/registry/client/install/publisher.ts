import { join, resolve } from "node:path";
import { textIn } from "../definitions/field-values.ts";
import { scopeOf } from "../definitions/reference.ts";
import { notOwnRegistry } from "../errors.ts";
import { unknownRegistry } from "../packages/errors.ts";
import { readFolder } from "../packages/read-folder.ts";
import { readManifest, readParts } from "../packages/read-package.ts";
import { SigningKey } from "../packages/signature.ts";
import type { RemoteRegistry } from "../sources/remote-registry.ts";
import { Stockyard } from "../sources/stockyard.ts";

type Parts = { registries: readonly RemoteRegistry[]; projectRoot: string; home: string };
type PublishRequest = { folder: string; registry?: string | undefined; sign: boolean; dryRun: boolean };

/** What a user does with a registry server under their own name. */
export class Publisher {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Packs a plugin's folder, checks it as the server will, signs it and uploads it. */
  async publish({ folder, registry, sign, dryRun }: PublishRequest, signal: AbortSignal) {
    const files = await readFolder(resolve(this.#parts.projectRoot, folder));
    const { name, version } = readManifest(files);
    const parts = (await readParts(files)).map(({ kind, name: part }) => `${kind} ${part}`);
    const { integrityOf, packArchive } = await import("../packages/archive.ts");
    const archive = packArchive(files);
    const integrity = integrityOf(archive);
    const server = this.#ownServer(registry, name);
    const shown = {
      name,
      version,
      integrity,
      size: archive.length,
      files: files.map(({ path }) => path),
      parts,
      registry: server.config.name,
    };
    if (dryRun) return { ...shown, signed: sign, isNew: true, dryRun };
    const key = sign
      ? await SigningKey.open(join(this.#parts.home, ".fractary", "auth", "signing-key.pem"))
      : undefined;
    const answer = await server.publish(
      { archive, integrity, signature: key?.sign({ name, version, integrity }) },
      signal,
    );
    return { ...shown, signed: sign, isNew: answer["isNew"] !== false, dryRun };
  }

  async yank(
    request: { name: string; version: string; reason: string | null; registry?: string | undefined },
    signal: AbortSignal,
  ) {
    const server = this.#ownServer(request.registry, request.name);
    await server.yank(request.name, request.version, request.reason, signal);
    return {
      name: request.name,
      version: request.version,
      yanked: request.reason !== null,
      registry: server.config.name,
    };
  }

  async whoami(registry: string | undefined, signal: AbortSignal) {
    const server = this.server(registry);
    const user = await server.user(signal);
    const text = (field: string) => textIn(user, field) ?? "";
    return { registry: server.config.name, name: text("name"), email: text("email"), team: text("team") };
  }

  /** The project could have given the name or the scope of the user's own registry to another address. */
  #ownServer(name: string | undefined, packageName: string): Stockyard {
    const server = this.server(name, packageName);
    if (server.config.origin !== "user") throw notOwnRegistry(server.config.name);
    return server;
  }

  /** A server by name; without one, the only server that may have the name, or the first. */
  server(name: string | undefined, packageName?: string): Stockyard {
    const servers = this.#parts.registries.filter((one): one is Stockyard => one instanceof Stockyard);
    const scope = packageName === undefined ? undefined : scopeOf(packageName);
    const claiming = servers.filter(({ config }) => scope !== undefined && config.scopes.includes(scope));
    const known = servers.map(({ config }) => config.name);
    const found = name === undefined ? (claiming[0] ?? servers[0]) : servers.find(({ config }) => config.name === name);
    if (!found) throw unknownRegistry(name ?? "any", known);
    return found;
  }
}
