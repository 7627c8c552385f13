import { createHash } from "node:crypto";
import { integrityOf } from "../../../src/rooms/registry/client/packages/archive.ts";
import type { SigningKey } from "../../../src/rooms/registry/client/packages/signature.ts";
import { serve } from "../http/fetching.ts";
import { makePackage } from "./registry-archive.ts";

export { makePackage, pluginFiles } from "./registry-archive.ts";

type Version = { archive: Buffer; said: Record<string, unknown> };

export function checksumOf(content: string | Buffer): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}

/** A registry server that says what a test tells it to, true or not. Ends with the test. */
export async function serveRegistry() {
  const packages = new Map<string, Map<string, Version>>();
  const texts = new Map<string, string | Buffer>();
  const requests: string[] = [];
  let failure: number | undefined;
  let troubled: { path: string; how: "cut-off" | "stall" | undefined } | undefined;
  /** Null: it is not said. */
  const registry = {
    generatedAt: undefined as string | null | undefined,
    serial: undefined as unknown,
  };
  const { url } = await serve((request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    requests.push(path);
    const [, name = "", version] =
      /^\/api\/v1\/plugins\/(.+?)\/(?:metadata|versions\/([^/]+)\/archive)$/.exec(path) ?? [];
    const versions = packages.get(name);
    const text = texts.get(path) ?? texts.get(path.replace(/\?.*/, ""));
    if (text !== undefined) return response.end(text);
    if (troubled?.how && path.endsWith(troubled.path)) {
      response.writeHead(200, { "content-length": 1_000 }).write("{");
      return troubled.how === "cut-off" ? response.destroy() : undefined;
    }
    if (failure !== undefined) return response.writeHead(failure).end();
    if (!versions) return response.writeHead(404).end("{}");
    if (version !== undefined) return response.end(versions.get(version)?.archive);
    const listed = [...versions].map(([own, { said }]) => ({ version: own, ...said }));
    const { generatedAt = new Date().toISOString(), serial = versions.size } = registry;
    return response.end(JSON.stringify({ name, serial, generatedAt, versions: listed }));
  });
  const find = (name: string, version: string): Version => {
    const found = packages.get(name)?.get(version);
    if (!found) throw new Error(`${name} ${version} was not published`);
    return found;
  };
  return Object.assign(registry, {
    url,
    requests,
    publish(
      name: string,
      version: string,
      fields: { dependencies?: object; description?: string } = {},
      key?: SigningKey,
      files: Record<string, string> = {},
    ) {
      const archive = makePackage(name, version, fields, files);
      const integrity = integrityOf(archive);
      const { dependencies = {} } = fields;
      const signature = key?.sign({ name, version, integrity });
      const versions = packages.get(name) ?? new Map<string, Version>();
      packages.set(name, versions.set(version, { archive, said: { integrity, dependencies, signature } }));
      return archive;
    },
    /** A version that has the bytes of any archive. */
    list(name: string, version: string, archive: Buffer, said: Record<string, unknown>) {
      packages.get(name)?.set(version, { archive, said: { integrity: integrityOf(archive), ...said } });
    },
    /** A file beside the packages, such as a static list. */
    serveText(path: string, text: string | Buffer) {
      texts.set(path, text);
    },
    /** How a static list names a plugin. */
    listed(name: string, path: string, text: string) {
      return { name, version: "1.0.0", manifest_url: `${url}${path}`, checksum: checksumOf(text) };
    },
    say(name: string, version: string, said: Record<string, unknown>) {
      Object.assign(find(name, version).said, said);
    },
    damage(name: string, version: string) {
      const { archive } = find(name, version);
      archive[archive.length - 5] = (archive[archive.length - 5] ?? 0) ^ 1;
    },
    swap(name: string, version: string, otherName: string, otherVersion: string) {
      const [one, other] = [find(name, version), find(otherName, otherVersion)];
      one.archive = other.archive;
      one.said["integrity"] = other.said["integrity"];
    },
    forget(name: string, version: string) {
      packages.get(name)?.delete(version);
    },
    /** Answers to paths that end so break off, or never end. */
    trouble(path: string, how: "cut-off" | "stall" | undefined) {
      troubled = { path, how };
    },
    fail(status: number | undefined) {
      failure = status;
    },
  });
}
