import { keysOf, type Manifest, type PackageKind, type Surroundings, tableIn, textIn, textsIn } from "../manifest.ts";
import { tomlTable } from "./toml.ts";

export function readCargoToml(text: string, around: Surroundings): Manifest {
  const manifest = tomlTable(text);
  const ownPackage = tableIn(manifest, "package");
  const targets = Object.values(tableIn(manifest, "target")).slice(0, 100);
  const tables = [manifest, ...targets];
  return {
    ecosystem: "rust",
    name: textIn(ownPackage, "name"),
    dependencies: [
      ...tables.flatMap((table) => keysOf(tableIn(table, "dependencies"))),
      ...keysOf(tableIn(manifest, "workspace", "dependencies")),
    ],
    devDependencies: ["dev-dependencies", "build-dependencies"].flatMap((kind) =>
      tables.flatMap((table) => keysOf(tableIn(table, kind))),
    ),
    members: [
      ...textsIn(tableIn(manifest, "workspace")["members"]),
      ...textsIn(tableIn(manifest, "workspace")["exclude"]).map((member) => `!${member}`),
    ],
    test: "cargo test",
    build: "cargo build",
    kind: kindOf(manifest, around),
  };
}

function kindOf(manifest: Record<string, unknown>, { has }: Surroundings): PackageKind | undefined {
  if (has("src/main.rs") || Array.isArray(manifest["bin"])) return "program";
  return has("src/lib.rs") || manifest["lib"] !== undefined ? "library" : undefined;
}
