import { findManifestReader } from "../../../commons/manifests/index.ts";
import {
  BrokenManifest,
  getFacts,
  getTable,
  listKeys,
  type Manifest,
  parseJsonTable,
} from "../../../commons/manifests/manifest.ts";

/** What a package says of itself. */
export type StarterManifest = Pick<
  Manifest,
  "name" | "description" | "version" | "runtime" | "dependencies" | "testCommand" | "build"
> & { path: string };

/** Formats that only a starter looks at. */
const readers: Record<string, (text: string) => Omit<StarterManifest, "path">> = {
  Gemfile: readGemfile,
  "composer.json": readComposer,
};

export function isManifest(name: string): boolean {
  return Object.hasOwn(readers, name) || findManifestReader(name) !== undefined;
}

/** Undefined for one that cannot be read; nothing of it is run. */
export async function readManifest(
  path: string,
  text: string,
  has: (path: string) => boolean,
): Promise<StarterManifest | undefined> {
  const at = path.lastIndexOf("/");
  const [folder, file] = [path.slice(0, at + 1), path.slice(at + 1)];
  try {
    const own = Object.hasOwn(readers, file) ? readers[file]?.(text) : undefined;
    if (own) return { ...own, path };
    const read = await findManifestReader(file)?.();
    const around = {
      file,
      has: (name: string) => has(folder + name),
      hasAbove: (name: string) => has(folder + name) || has(name),
    };
    const manifest = read?.(text, around);
    return manifest && { ...manifest, path };
  } catch (error) {
    if (error instanceof BrokenManifest) return undefined;
    throw error;
  }
}

function readGemfile(text: string) {
  const names = text.split("\n").flatMap((line) => /^gem ["']([\w-]{1,100})["']/.exec(line.trim())?.[1] ?? []);
  const testCommand = names.includes("rspec-rails") ? "bundle exec rspec" : "bundle exec rake test";
  return { dependencies: names, testCommand };
}

function readComposer(text: string) {
  const manifest = parseJsonTable(text);
  const dependencies = listKeys(getTable(manifest, "require")).filter((name) => name.includes("/"));
  return { ...getFacts(manifest), dependencies, testCommand: "composer test" };
}
