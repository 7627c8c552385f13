import { ForgeError } from "../../kernel/errors.ts";

const workbenchFile = ".forge/workbench.json";

export function runnerNotFound(root: string): ForgeError {
  const looked = [
    `"testCommand" in ${workbenchFile}`,
    "vitest, jest, mocha or node --test in package.json",
    "Cargo.toml",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "pytest's settings or test_*.py",
  ];
  return new ForgeError("NOT_FOUND", `No test runner found in ${root}. Looked for ${looked.join("; ")}.`, {
    details: { root, looked },
    next: [
      `The user can name the command that runs the tests, as a list of words, in ${workbenchFile}: {"testCommand": ["make", "test"]}.`,
    ],
  });
}

export function runnerNotInstalled(runner: string, missing: string): ForgeError {
  const how =
    runner === "pytest"
      ? "for pytest: `-m pip install pytest` with that Python"
      : "for npm: `npm install` in its folder";
  return new ForgeError("DEPENDENCY_ERROR", `The tests did not run: ${missing}.`, {
    details: { runner },
    next: [
      `Install the project's dependencies (${how}), then run the tests again.`,
      `For separate work trees, "setupCommand" in ${workbenchFile} does it.`,
    ],
  });
}

type RunDetails = { command: readonly string[]; output: string };

export function testsTimedOut(deadlineMs: number, details: RunDetails): ForgeError {
  return new ForgeError(
    "TIMEOUT",
    `The tests did not finish within ${Math.round(deadlineMs / 1000)} s and were stopped.`,
    { details, next: ["Run fewer tests, or give them more time."] },
  );
}

export function testsKilled(signal: string, details: RunDetails): ForgeError {
  return new ForgeError("DEPENDENCY_ERROR", `The tests were killed by ${signal}, so there is no result.`, {
    details: { ...details, signal },
    next: ["The system may have run out of memory: run fewer tests, or check the system's log."],
  });
}

export function testsLimited(limit: string, inForce: readonly string[], details: RunDetails): ForgeError {
  return new ForgeError("DEPENDENCY_ERROR", `The tests were stopped at the limit on ${limit}, so there is no result.`, {
    details: { ...details, outcome: "LIMIT", limit, limits: inForce },
    next: [
      "Look for a process that has run away, such as an endless loop.",
      `If the tests need more, the user raises "limits" in ${workbenchFile}: {"limits": {"cpuSeconds": 14400}}.`,
    ],
  });
}

export function invalidWorkbenchFile(file: string, problem: string): ForgeError {
  return new ForgeError("CONFIG_ERROR", `${file} ${problem}.`, {
    details: { file },
    next: [
      'It can contain "testCommand" and "setupCommand" (lists of words, such as ["npm", "run", "test:ci"]), "passEnvironment" (names of variables), "limits" (cpuSeconds, fileMegabytes, memoryMegabytes, processes), "finish" ("merge" or "branch") and "isolation" ("none" or "worktree").',
    ],
    quotes: "repository",
  });
}
