import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import { openDatabase } from "../../src/platform/db/database.ts";
import { SafeRoot } from "../../src/platform/files/root/safe-root.ts";
import { Trash } from "../../src/platform/files/trash/trash.ts";
import { readVersionMarks, writeVersionMark } from "../../src/platform/state/marks.ts";
import { dropUnusedStateFolder, makeStateFolder } from "../../src/platform/state/state-folder.ts";
import { Setup } from "../../src/rooms/setup/service/setup.ts";
import { version } from "../../src/version.ts";
import { forge } from "../harness/cli/forge-process.ts";
import { testWith } from "../harness/faults/faults.ts";
import { makeSandbox, type Sandbox } from "../harness/git/git.ts";
import { nothing, SetupPlace } from "../harness/rooms/setup.ts";

/** Every name that Forge makes in a project's state folder, and the folder itself. */
const ownFiles = [
  `used-by-${version}`,
  "init.json",
  "forge.db",
  "forge.db-wal",
  "forge.db-shm",
  "forge.db-journal",
  ".gitignore",
];
const ownFolders = ["trash", ""];

type Hostile = { sandbox: Sandbox; project: string; stateDir: string; outside: string };

/** A cloned project whose `.forge` the attacker filled, beside a folder that is none of its business. */
function hostileProject(): Hostile {
  const sandbox = makeSandbox();
  onTestFinished(() => sandbox.dispose());
  const outside = join(sandbox.root, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "file"), "precious");
  writeFileSync(join(outside, ".gitignore"), "*\n");
  const project = sandbox.repository("project", { "README.md": "# Hello\n", "gone.txt": "x" });
  return { sandbox, project, stateDir: join(project, ".forge"), outside };
}

function plantLink({ stateDir }: Hostile, name: string, target: string): void {
  if (name !== "") mkdirSync(stateDir, { recursive: true });
  symlinkSync(target, join(stateDir, name));
}

/** Names, contents, permissions and times: whatever was touched shows. */
function traces(folder: string): string[] {
  return [".", ...readdirSync(folder, { recursive: true, encoding: "utf8" })].sort().map((name) => {
    const entry = lstatSync(join(folder, name), { bigint: true });
    const content = entry.isFile() ? readFileSync(join(folder, name), "utf8") : "";
    return [name, entry.mode, entry.mtimeNs, entry.ctimeNs, content].join(" ");
  });
}

/** Everything that writes into the state folder or looks at it. Refusing is as good as doing without; hanging is not. */
async function useAll({ sandbox, project, stateDir }: Hostile): Promise<void> {
  const setup = new Setup({ ...new SetupPlace().surroundings, root: project, stateDir, home: sandbox.root });
  const uses: (() => unknown)[] = [
    () => writeVersionMark(stateDir, version),
    () => readVersionMarks(stateDir),
    () => makeStateFolder(stateDir),
    async () => {
      const database = openDatabase<object>({ file: join(stateDir, "forge.db") }, []);
      await database.read(async () => undefined).finally(() => database.close());
    },
    () => SafeRoot.at(project).delete("gone.txt", new Trash(stateDir)),
    () => setup.plan({ ...nothing, clients: ["claude-code"] }).apply(),
    () => setup.planRemoval({ ...nothing, clients: ["claude-code"] }).apply(),
    () => dropUnusedStateFolder(stateDir),
  ];
  for (const use of uses) {
    try {
      await use();
    } catch (error) {
      expect(error, String(use)).toHaveProperty("next");
    }
  }
}

describe("a repository that brings its own .forge", () => {
  for (const name of [...ownFiles, ...ownFolders]) {
    const shown = name === "" ? ".forge itself" : name;

    testWith(["posix"], `${shown} as a link out of the project: nothing outside is touched`, async () => {
      const targets = ownFolders.includes(name) ? ["outside"] : ["outside/file", "outside/not-there"];
      for (const target of targets) {
        const hostile = hostileProject();
        plantLink(hostile, name, join(hostile.sandbox.root, target));
        const before = traces(hostile.outside);
        await useAll(hostile);
        expect(traces(hostile.outside), target).toEqual(before);
      }
    });

    testWith(["posix"], `${shown} as a link to something of the project: that stays as it is`, async () => {
      const hostile = hostileProject();
      mkdirSync(join(hostile.project, "src"));
      writeFileSync(join(hostile.project, "src/main.ts"), "{}\n");
      const target = ownFolders.includes(name) ? "src" : "src/main.ts";
      plantLink(hostile, name, join(hostile.project, target));
      const before = traces(join(hostile.project, "src"));
      await useAll(hostile);
      expect(traces(join(hostile.project, "src"))).toEqual(before);
    });

    testWith(["posix"], `${shown} as a pipe that nobody writes to: nobody waits for it`, async () => {
      const hostile = hostileProject();
      if (name !== "") mkdirSync(hostile.stateDir);
      execFileSync("mkfifo", [join(hostile.stateDir, name)]);
      await useAll(hostile);
      expect(readFileSync(join(hostile.project, "README.md"), "utf8")).toBe("# Hello\n");
    });
  }

  testWith(["posix"], "the whole program, with every name a link: it says what is wrong and touches nothing", () => {
    const hostile = hostileProject();
    for (const name of ownFiles) plantLink(hostile, name, join(hostile.outside, "file"));
    plantLink(hostile, "trash", hostile.outside);
    const before = traces(hostile.outside);
    const { stderr, status } = spawnSync(process.execPath, [forge, "log"], {
      cwd: hostile.project,
      env: hostile.sandbox.environment,
      encoding: "utf8",
    });
    expect(stderr).toContain("is a symbolic link");
    expect(status).not.toBe(0);
    expect(traces(hostile.outside)).toEqual(before);
  });
});

describe("git never sees what Forge keeps", () => {
  const keepers: [what: string, keep: (hostile: Hostile) => unknown][] = [
    ["the trash", ({ project, stateDir }) => SafeRoot.at(project).delete("gone.txt", new Trash(stateDir))],
    [
      "the database",
      async ({ stateDir }) => {
        const database = openDatabase<object>({ file: join(stateDir, "forge.db") }, []);
        await database.read(async () => undefined);
        await database.close();
      },
    ],
  ];
  for (const [what, keep] of keepers) {
    testWith([], `${what} comes first`, async () => {
      const hostile = hostileProject();
      await keep(hostile);
      expect(existsSync(hostile.stateDir)).toBe(true);
      const changes = hostile.sandbox.git(hostile.project, "status", "--porcelain", "--untracked-files=all");
      expect(changes).not.toContain(".forge");
    });
  }
});
