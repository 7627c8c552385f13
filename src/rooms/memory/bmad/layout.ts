import { trimSlashes } from "../../../kernel/text/trim-slashes.ts";
import { type BmadFiles, recordIn, textIn } from "./bmad-files.ts";

/** Where a project keeps its BMAD files. */
export type Layout = {
  /** `_bmad`, its successor's `_grimoire`, and the `.bmad` and `.bmad-core` of early versions: those that are there. A project may have several. */
  folders: string[];
  /** Where each of them keeps what agents learned; where it would be, if there is none. */
  memories: string[];
  output: string;
  /** Where runs are. */
  runs: string;
  /** Where sprint-status.yaml is, most likely first. */
  artifacts: string[];
  /** Which of the two is installed, and its version, as its own files say. */
  installed: { name: string; version?: string; file: string }[];
};

const folders = [
  { folder: "_bmad", output: "_bmad-output" },
  { folder: "_grimoire", output: "_grimoire-output" },
  { folder: ".bmad", output: "docs" },
  { folder: ".bmad-core", output: "docs" },
] as const;

export async function findLayout(files: BmadFiles): Promise<Layout> {
  const isThere = await Promise.all(folders.map(({ folder }) => files.has(folder)));
  const present = folders.filter((_, index) => isThere[index]);
  const [first = folders[0]] = present;
  const config = present.length > 0 ? await moduleConfig(files, first.folder) : {};
  const output = inProject(config.output) ?? first.output;
  const artifacts = [config.artifacts, `${output}/implementation-artifacts`, output, "docs/sprint-artifacts", "docs"];
  const shown = (await files.has(first.output)) ? first.output : output;
  return {
    folders: present.map(({ folder }) => folder),
    memories: (present.length > 0 ? present : [first]).map(({ folder }) => `${folder}/_memory`),
    output: shown,
    runs: await findRuns(files, [shown, ...present.map((known) => known.output)]),
    artifacts: [...new Set(artifacts.map((path) => inProject(path)).filter((path) => path !== undefined))],
    installed: (await Promise.all(present.map(({ folder }) => findInstalled(files, folder)))).flat(),
  };
}

async function findRuns(files: BmadFiles, outputs: readonly string[]): Promise<string> {
  for (const output of outputs) if (await files.has(`${output}/.runs`)) return `${output}/.runs`;
  return `${outputs[0]}/.runs`;
}

async function moduleConfig(files: BmadFiles, folder: string): Promise<{ output?: string; artifacts?: string }> {
  const yaml =
    (await files.readYaml(`${folder}/bmm/config.yaml`)) ?? (await files.readYaml(`${folder}/core/config.yaml`));
  const toml = await files.readToml(`${folder}/config.toml`);
  const bmm = recordIn(recordIn(toml, "modules"), "bmm");
  const output = textIn(yaml, "output_folder") ?? textIn(recordIn(toml, "core"), "output_folder");
  const artifacts = textIn(yaml, "implementation_artifacts") ?? textIn(bmm, "implementation_artifacts");
  return { ...(output !== undefined && { output }), ...(artifacts !== undefined && { artifacts }) };
}

async function findInstalled(files: BmadFiles, folder: string): Promise<Layout["installed"]> {
  const found: Layout["installed"] = [];
  // Of 6, of its first versions, and of 4.
  for (const file of ["_config/manifest.yaml", "_cfg/manifest.yaml", "install-manifest.yaml"].map(
    (name) => `${folder}/${name}`,
  )) {
    const manifest = await files.readYaml(file);
    if (!manifest) continue;
    const version = textIn(manifest, "installation", "version") ?? textIn(manifest, "version");
    found.push({ name: "bmad-method", ...(version !== undefined && { version }), file });
    break;
  }
  for (const kitFile of [`${folder}/_config/custom/agent-base.md`, `${folder}/kit/framework/agent-base.md`]) {
    if (!(await files.has(kitFile))) continue;
    const context = (await files.readYaml("project-context.yaml")) ?? {};
    const kitVersion = textIn(context, "bmad_kit_version") ?? textIn(context, "kit_version");
    found.push({ name: "bmad-custom-kit", ...(kitVersion !== undefined && { version: kitVersion }), file: kitFile });
  }
  return found;
}

/** A configured folder as a path from the project's root; undefined where it leads out of it. */
function inProject(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const plain = trimSlashes(path.replace(/^\{project-root\}\/?/, "").replace(/^\.\//, ""));
  return plain === "" || plain.startsWith("/") || plain.includes("..") || /[\\\0{}]/.test(plain) ? undefined : plain;
}
