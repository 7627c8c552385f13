import { readGoMod, readGoWork } from "./go.ts";
import { readBuildGradle, readSettingsGradle } from "./gradle.ts";
import { readPackageJson, readPnpmWorkspace } from "./javascript.ts";
import type { ManifestReader } from "./manifest.ts";

/** Parsers are loaded where there is something for them to read. */
const readers = new Map<string, () => Promise<ManifestReader>>([
  ["package.json", async () => readPackageJson],
  ["pnpm-workspace.yaml", async () => readPnpmWorkspace],
  ["Cargo.toml", async () => (await import("./rust.ts")).readCargoToml],
  ["go.mod", async () => readGoMod],
  ["go.work", async () => readGoWork],
  ["pyproject.toml", async () => (await import("./python.ts")).readPyproject],
  ["setup.cfg", async () => (await import("./python.ts")).readSetupCfg],
  ["setup.py", async () => (await import("./python.ts")).readSetupPy],
  ["Pipfile", async () => (await import("./python.ts")).readPipfile],
  ["pom.xml", async () => (await import("./maven.ts")).readPom],
  ["build.gradle", async () => readBuildGradle],
  ["build.gradle.kts", async () => readBuildGradle],
  ["settings.gradle", async () => readSettingsGradle],
  ["settings.gradle.kts", async () => readSettingsGradle],
]);
const requirements = async () => (await import("./python.ts")).readRequirements;

export function findManifestReader(name: string): (() => Promise<ManifestReader>) | undefined {
  const isRequirements = name.startsWith("requirements") && name.endsWith(".txt");
  return isRequirements ? requirements : readers.get(name);
}
