import { delimiter, isAbsolute, join, posix } from "node:path";
import * as z from "zod";
import { tryParseJson } from "../../../kernel/json.ts";
import { writePrivateFile } from "../../../platform/files/write/private-file.ts";
import { isInside } from "../../../platform/git/run/locate-repository.ts";
import type { TestProject } from "../project/test-project.ts";
import { listReports, readReport } from "../reports/report-files.ts";
import type { RunOrder } from "../runner.ts";
import type { OriginEvidence } from "./judge-origin.ts";

/**
 * Starts pytest as `python -m pytest` does, with a plug-in from the folder of the script. Options for coverage are left out where
 * pytest-cov is not installed: only the interpreter itself knows.
 */
const starter = `import importlib.util, os, runpy, sys
here = os.path.dirname(os.path.abspath(__file__))
if sys.path and os.path.abspath(sys.path[0]) == here:
    sys.path[0] = os.getcwd()
sys.path.append(here)
if importlib.util.find_spec("pytest_cov") is None:
    sys.argv = [word for word in sys.argv if not word.startswith("--cov")]
runpy.run_module("pytest", run_name="__main__", alter_sys=True)
`;

/** Writes down at the end where modules came from; in each process, also those of pytest-xdist. */
const plugin = `import json, os, sys


def pytest_unconfigure(config):
    known = getattr(sys, "stdlib_module_names", ())
    rows = []
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in known:
            continue
        try:
            place = vars(module).get("__file__")
            if not isinstance(place, str) and "." not in name:
                place = next(iter(vars(module).get("__path__") or ()), None)
        except Exception:
            continue
        if isinstance(place, str):
            rows.append([name, os.path.realpath(place)])
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "origin-%d" % os.getpid()), "w") as out:
        json.dump(rows, out)
`;

const rows = z.array(z.tuple([z.string(), z.string()]));

/** Names that many projects use for what is not their code. */
const otherNames = new Set(["tests", "test", "conftest", "setup", "docs", "examples", "noxfile", "tasks", "scripts"]);

/** Writes what starts pytest; returns the words for Python. */
export async function writePytestStarter({ reports }: RunOrder): Promise<string[]> {
  await writePrivateFile(join(reports, "start_pytest.py"), starter);
  await writePrivateFile(join(reports, "forge_origin.py"), plugin);
  return ["-B", "-u", join(reports, "start_pytest.py"), "-p", "forge_origin"];
}

/**
 * Variables by which a command that starts pytest itself gets the plug-in: pytest loads what an installed package offers, and a
 * folder on the path with a package's description is one. If Python ignores the variable, nothing else changes.
 */
export async function makePythonVariables(order: RunOrder): Promise<Record<string, string>> {
  const { reports, base } = order;
  await writePrivateFile(join(reports, "forge_origin.py"), plugin);
  const description = join(reports, "forge_origin-1.dist-info");
  await writePrivateFile(join(description, "METADATA"), "Metadata-Version: 2.1\nName: forge-origin\nVersion: 1\n");
  await writePrivateFile(join(description, "entry_points.txt"), "[pytest11]\nforge_origin = forge_origin\n");
  const { PYTHONPATH: path = base["PYTHONPATH"] } = await findModulePath(order);
  return { PYTHONPATH: [...(path ? [path] : []), reports].join(delimiter) };
}

/**
 * In a linked work tree with the interpreter of another folder, the packages of the work tree come first: that folder's editable
 * install names its own.
 */
export async function findModulePath({ project, trees, found, base }: RunOrder): Promise<Record<string, string>> {
  const [python = ""] = found.program;
  // A bare name is found on the PATH, whatever folder Forge was started in.
  if (trees.main === undefined || (isAbsolute(python) && isInside(python, project.root))) return {};
  const roots = (await findPythonRoots(project)).map((folder) => join(project.root, folder));
  const { PYTHONPATH: given } = base;
  return { PYTHONPATH: [...roots, ...(given ? [given] : [])].join(delimiter) };
}

/** Folders of the project that Python packages are imported from: `src`, or the folder of a manifest itself. */
async function findPythonRoots(project: TestProject): Promise<string[]> {
  const files = await project.listFiles();
  const manifests = files.filter((path) => /(?:^|\/)(?:pyproject\.toml|setup\.py|setup\.cfg)$/.test(path));
  const folders = new Set([
    "",
    ...manifests.map((path) => posix.dirname(path)).map((path) => (path === "." ? "" : path)),
  ]);
  return [...folders].map((folder) => {
    const source = posix.join(folder, "src");
    return files.some((path) => path.startsWith(`${source}/`) && path.endsWith(".py")) ? source : folder;
  });
}

export async function readPythonOrigin({ project, trees, reports }: RunOrder): Promise<OriginEvidence> {
  const modules = listReports(reports, /^origin-\d+$/).flatMap((path) => {
    const parsed = rows.safeParse(tryParseJson(readReport(path) ?? ""));
    return parsed.success ? parsed.data : [];
  });
  if (modules.length === 0) return { unknown: "pytest did not record what it imported" };
  const own = await listOwnModules(project);
  const all = [trees.root, ...trees.others];
  const copies = modules
    .filter(([name, path]) => own.has(name) && !all.some((tree) => isInside(path, tree) && !isInstalled(path)))
    .map(([name, path]) => ({ name, path }));
  return { loaded: modules.map(([, path]) => path), copies };
}

function isInstalled(path: string): boolean {
  return /[/\\](?:site-packages|dist-packages)[/\\]/.test(path);
}

/** Packages and modules that the project has itself, by the name they are imported by. */
async function listOwnModules(project: TestProject): Promise<Set<string>> {
  const roots = await findPythonRoots(project);
  const files = await project.listFiles();
  const names = roots.flatMap((root) => {
    const start = root === "" ? "" : `${root}/`;
    return files
      .filter((path) => path.startsWith(start))
      .map((path) => path.slice(start.length))
      .flatMap((path) => /^([^/]+)(?:\/__init__)?\.py$/.exec(path)?.[1] ?? []);
  });
  return new Set(names.filter((name) => !otherNames.has(name)));
}
