import { isRecord } from "../../../kernel/json.ts";
import { Fetcher } from "../../../platform/fetch/fetcher.ts";
import { notPublished, noVersion } from "../errors.ts";

const publicRegistry = "https://registry.npmjs.org";
const packageName = "forge-mcp";
const patienceMs = 10_000;

/**
 * Asks a package registry for the newest published version. The request says nothing about the user, the project or this
 * version. Only an address that the user gave may be a private one.
 */
export async function newestVersion(registry: string | undefined, signal: AbortSignal): Promise<string> {
  const base = (registry ?? publicRegistry).replace(/(?<!\/)\/{1,9}$/, "");
  const fetcher = new Fetcher({ log: () => undefined });
  try {
    const response = await fetcher.request("GET", `${base}/${packageName}/latest`, {
      timeoutMs: patienceMs,
      signal,
      ...(registry !== undefined && { allowPrivate: [registry] }),
    });
    if (response.status === 404) {
      throw notPublished(response.url.host, packageName);
    }
    return versionIn(response.ok ? response.json() : undefined, response.url.host);
  } finally {
    fetcher.close();
  }
}

function versionIn(answer: unknown, host: string): string {
  const version = isRecord(answer) ? answer["version"] : undefined;
  if (typeof version === "string" && /^\d{1,6}\.\d{1,6}\.\d{1,6}(?:[-+][\w.+-]{1,60})?$/.test(version)) return version;
  throw noVersion(host);
}

/** Whether one version comes after another; a pre-release comes before the release it leads to. */
export function isNewer(version: string, than: string): boolean {
  const [left, right] = [partsOf(version), partsOf(than)];
  for (const [index, part] of left.numbers.entries()) {
    const other = right.numbers[index] ?? 0;
    if (part !== other) return part > other;
  }
  return right.isPreRelease && !left.isPreRelease;
}

function partsOf(version: string): { numbers: number[]; isPreRelease: boolean } {
  const [release = ""] = version.split("+", 1);
  const [core = "", ...rest] = release.split("-");
  return { numbers: core.split(".").map(Number), isPreRelease: rest.length > 0 };
}
