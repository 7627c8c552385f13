import { dependencyFile } from "./errors.ts";

/** Where package managers put what they fetch. Programs in there, test runners too, are trusted as they were fetched. */
const dependencyFolders = [
  "node_modules",
  "bower_components",
  ".venv",
  "venv",
  "site-packages",
  ".tox",
  ".nox",
  "vendor/bundle",
  ".pnp.cjs",
  ".pnp.loader.mjs",
].map((name) => `/${name}/`);

/** Throws for a file that belongs to the dependencies. */
export function refuseDependencies(path: string): void {
  const folded = `/${path.normalize("NFKC").toLowerCase()}/`;
  if (dependencyFolders.some((folder) => folded.includes(folder))) throw dependencyFile(path);
}
