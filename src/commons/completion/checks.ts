import { posix } from "node:path";
import { listCheckRunnables } from "../test-runs/project/configured-commands.ts";
import { detectRunner, listRunnerRunnables } from "../test-runs/project/detect-runner.ts";
import type { TestProject } from "../test-runs/project/test-project.ts";
import type { Runnable } from "../trust/runnable.ts";
import type { Stack } from "./completion-run.ts";

export type Check = {
  stack: Stack;
  words: readonly string[];
  /** A failure is told, but does not decide. */
  isAdvice?: true;
  /** The exit code that says that there was nothing to check. */
  nothingCode?: number;
  env?: Readonly<Record<string, string>>;
};

const maxDepth = 4;

type Detector = (files: readonly string[], project: TestProject) => boolean;

const detectors: [stack: Stack, isThere: Detector][] = [
  ["go", (_, project) => project.has("go.mod")],
  ["typescript", (_, project) => project.has("package.json")],
  ["terraform", (files) => files.some((path) => path.endsWith(".tf") && path.split("/").length <= maxDepth)],
  ["ansible", (files, project) => project.has("ansible") || files.some((path) => /^playbook[^/]*\.ya?ml$/.test(path))],
  ["python", (_, project) => ["requirements.txt", "pyproject.toml", "setup.py"].some((name) => project.has(name))],
  ["docker", (files) => files.some((path) => /^(?:Dockerfile|(?:docker-)?compose\.ya?ml)$/.test(path))],
  ["k8s", (_, project) => project.has("k8s") || project.has("kubernetes")],
  ["shell", (files) => files.some((path) => path.endsWith(".sh"))],
];

export async function detectStacks(project: TestProject): Promise<Stack[]> {
  const files = await project.listFiles();
  return detectors.filter(([, isThere]) => isThere(files, project)).map(([stack]) => stack);
}

/** What decides that a stack's work is complete; what is missing on this machine is skipped, and said so. */
export async function checksFor(stack: Stack, project: TestProject): Promise<Check[]> {
  const has = (...names: string[]) => names.some((name) => project.has(name));
  switch (stack) {
    case "go":
      return [
        { stack, words: ["go", "build", "./..."] },
        { stack, words: ["go", "vet", "./..."] },
        { stack, words: ["go", "test", "./..."] },
      ];
    case "typescript": {
      const checks: Check[] = [];
      const local = (program: string) => project.findNearest(`node_modules/.bin/${program}`);
      if (has("tsconfig.json")) checks.push({ stack, words: [local("tsc") ?? "tsc", "--noEmit"] });
      if (project.listNames("").some((name) => /^vitest\.config\./.test(name)))
        checks.push({ stack, words: [local("vitest") ?? "vitest", "run"] });
      else if (typeof project.readManifest().scripts?.["test"] === "string")
        checks.push({ stack, words: [packageManager(project), "test"] });
      return checks;
    }
    case "python":
      return [
        { stack, words: ["pytest", "-q"], env: { PYTHONDONTWRITEBYTECODE: "1" }, nothingCode: 5 },
        { stack, words: ["ruff", "check", "."], isAdvice: true },
        { stack, words: ["mypy", "."], isAdvice: true },
      ];
    case "terraform":
      return [
        { stack, words: ["terraform", "validate"] },
        { stack, words: ["terraform", "fmt", "-check", "-recursive"], isAdvice: true },
        { stack, words: ["tflint"] },
      ];
    case "ansible":
      return [
        { stack, words: ["ansible-lint"] },
        { stack, words: ["yamllint", "."] },
      ];
    case "docker": {
      const checks: Check[] = [];
      if (project.listNames("").some((name) => /^(?:docker-)?compose\.ya?ml$/.test(name)))
        checks.push({ stack, words: ["docker", "compose", "config", "--quiet"] });
      if (has("Dockerfile")) checks.push({ stack, words: ["docker", "build", "--check", "."] });
      return checks;
    }
    case "k8s": {
      const folder = has("k8s") ? "k8s" : "kubernetes";
      return [{ stack, words: ["kubectl", "apply", "--dry-run=client", "--recursive", "-f", folder] }];
    }
    case "shell": {
      const scripts = (await project.listFiles()).filter((path) => path.endsWith(".sh")).slice(0, 200);
      return [{ stack, words: ["shellcheck", "--", ...scripts], isAdvice: true }];
    }
  }
}

function packageManager(project: TestProject): string {
  if (project.has("pnpm-lock.yaml")) return "pnpm";
  if (project.has("yarn.lock")) return "yarn";
  return project.has("bun.lockb") || project.has("bun.lock") ? "bun" : "npm";
}

/**
 * What must be trusted for checks to run: their commands, and all that would have to be for the same tests to run by themselves, such as
 * the scripts of package.json and the configuration of the runner.
 */
export async function checkRunnables(checks: readonly Check[], project: TestProject): Promise<Runnable[]> {
  const { root } = project;
  const commands = checks.map(({ stack, words }): Runnable => {
    // Files that come and go would ask for trust again, though the same program looks at them.
    const command = stack === "shell" ? words.slice(0, 2) : words;
    return { id: `completion:${command.map((word) => word.split("/").at(-1)).join(" ")}`.slice(0, 200), command };
  });
  const behind = await Promise.all(
    checks.map(async ({ words: [program = "", ...rest], words }) => {
      const name = posix.basename(program);
      if (name === "mypy") return listMypyPlugins(project);
      if (name === "pytest" || name === "vitest") return listRunnerRunnables(project, name);
      if (rest.join(" ") !== "test") return [];
      return [...listCheckRunnables(root, words), ...((await detectRunner(project))?.runnables ?? [])];
    }),
  );
  const all = [...commands, ...behind.flat()];
  return [...new Map(all.map((runnable) => [runnable.id, runnable])).values()];
}

/** They are run, and named in its configuration. */
function listMypyPlugins(project: TestProject): Runnable[] {
  const files = ["mypy.ini", ".mypy.ini", "setup.cfg", "pyproject.toml"];
  // However it is spelled: as `plugins:`, in a table of one line, or with an escape, which TOML has in keys.
  const named = files.filter((file) => /plugins|\\u/i.test(project.readText(file) ?? ""));
  return named.map((file) => ({ id: `config:${file}`, file }));
}
