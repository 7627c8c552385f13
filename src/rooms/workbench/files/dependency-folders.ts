import { ForgeError } from "../../../kernel/errors.ts";
import { shownPath } from "../../../platform/files/root/relative-path.ts";

/** Where package managers put what they fetch; the programs in them, test runners too, are trusted as they were fetched. */
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

/** Throws for a file among the dependencies: one that is changed there would run as if it were somebody else's program. */
export function refuseDependencies(path: string): void {
  const folded = `/${path.normalize("NFKC").toLowerCase()}/`;
  if (!dependencyFolders.some((folder) => folded.includes(folder))) return;
  throw new ForgeError(
    "PERMISSION_DENIED",
    `${shownPath(path)} belongs to the project's dependencies, which are not changed by hand.`,
    {
      details: { path },
      next: [
        "Change what the project asks for (package.json, requirements.txt) and have the package manager fetch it.",
      ],
    },
  );
}
