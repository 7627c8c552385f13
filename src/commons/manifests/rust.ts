import {
  getFacts,
  getTable,
  getText,
  listKeys,
  type Manifest,
  type ManifestFolder,
  type PackageKind,
  toRuntime,
  toTexts,
} from "./manifest.ts";
import { parseToml } from "./toml.ts";

export function readCargoToml(text: string, around: ManifestFolder): Manifest {
  const manifest = parseToml(text);
  const ownPackage = getTable(manifest, "package");
  const targets = Object.values(getTable(manifest, "target")).slice(0, 100);
  const tables = [manifest, ...targets];
  return {
    ecosystem: "rust",
    ...getFacts(ownPackage),
    runtime: toRuntime("Rust", getText(ownPackage, "rust-version")),
    dependencies: [
      ...tables.flatMap((table) => listKeys(getTable(table, "dependencies"))),
      ...listKeys(getTable(manifest, "workspace", "dependencies")),
    ],
    devDependencies: ["dev-dependencies", "build-dependencies"].flatMap((kind) =>
      tables.flatMap((table) => listKeys(getTable(table, kind))),
    ),
    members: [
      ...toTexts(getTable(manifest, "workspace")["members"]),
      ...toTexts(getTable(manifest, "workspace")["exclude"]).map((member) => `!${member}`),
    ],
    test: "cargo test",
    testCommand: "cargo test",
    build: "cargo build",
    kind: detectKind(manifest, around),
  };
}

function detectKind(manifest: Record<string, unknown>, { has }: ManifestFolder): PackageKind | undefined {
  if (has("src/main.rs") || Array.isArray(manifest["bin"])) return "program";
  return has("src/lib.rs") || manifest["lib"] !== undefined ? "library" : undefined;
}
