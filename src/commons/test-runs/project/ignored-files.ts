import { posix } from "node:path";
import type { IgnoredFiles } from "../test-run.ts";

const maxNamed = 20;

/** Installed, generated or kept by an editor: the same commit makes them again, or no test reads them. */
const otherFolders =
  /^(?:node_modules|bower_components|jspm_packages|vendor|dist|build|out|target|bin|obj|coverage|htmlcov|venv|env|__pycache__|site-packages|\.(?:venv|env|tox|nox|git|hg|svn|forge|idea|vscode|vs|gradle|mvn|cache|parcel-cache|next|nuxt|svelte-kit|turbo|vite|yarn|pnpm-store|pytest_cache|mypy_cache|ruff_cache|hypothesis|nyc_output|eggs|bundle|terraform)|.+\.egg-info)$/;

const otherFiles =
  /^(?:\.DS_Store|Thumbs\.db|\.coverage(?:\..+)?|\.eslintcache|\.stylelintcache|.+\.(?:log|pyc|pyo|class|o|swp|swo|tsbuildinfo|lcov)|.+~)$/;

/** Of what git ignores in a folder, what a run could depend on. Names of folders end in a slash. */
export function selectIgnoredFiles(ignored: readonly string[]): IgnoredFiles | undefined {
  const counting = ignored.filter((name) => !isGenerated(name)).sort();
  if (counting.length === 0) return undefined;
  return { names: counting.slice(0, maxNamed), omitted: Math.max(0, counting.length - maxNamed) };
}

function isGenerated(name: string): boolean {
  const parts = name.replace(/\/$/, "").split("/");
  const folders = name.endsWith("/") ? parts : parts.slice(0, -1);
  // `.env` is a file of settings, but also a usual name of a Python environment.
  return (
    folders.some((part) => otherFolders.test(part)) || (!name.endsWith("/") && otherFiles.test(posix.basename(name)))
  );
}
