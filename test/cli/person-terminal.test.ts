import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bundleProgram } from "../harness/cli/bundle-program.ts";
import { CliProject } from "../harness/cli/cli.ts";
import { forge } from "../harness/cli/forge-process.ts";
import { PersonTerminal } from "../harness/cli/person-terminal.ts";
import { eventually, isAlive } from "../harness/cli/processes.ts";
import { describeWith } from "../harness/faults/faults.ts";

type Place = ConstructorParameters<typeof PersonTerminal>[1];

/** With a command and faults of the tests. */
const program = await bundleProgram(new URL("./person-program.ts", import.meta.url));

function start(args: string[], place: Place = {}): PersonTerminal {
  return new PersonTerminal([process.execPath, program, ...args], place);
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "forge-person-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function makeEditor(folder: string, script: string): string {
  const editor = join(folder, "an editor");
  writeFileSync(editor, `#!/bin/sh\n${script}\n`);
  chmodSync(editor, 0o755);
  return `'${editor}'`;
}

describeWith(["script"], "the live list on a real terminal", () => {
  /** `forge list` in a project with three tickets. */
  async function startList({ env = {}, ...place }: Place = {}, file = forge) {
    const project = new CliProject();
    for (const title of ["日本語 \x1b[31mred", "Second", "Third"])
      await project.do(["call", "create_ticket", `title=${title}`]);
    const all = { cwd: project.root, ...place, env: { HOME: project.home, ...env } };
    return new PersonTerminal([process.execPath, file, "list"], all);
  }

  test.each([["q"], ["\x03"]])("%j leaves it as it was found", async (key) => {
    const terminal = await startList();
    await terminal.until("T-001");
    terminal.type(key);
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.isAsFound).toBe(true);
    expect(terminal.output).toContain("\x1b[?1049h");
    expect(terminal.output).toContain("\\x1b[31mred");
  });

  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s leaves it as it was found", async (signal) => {
    const terminal = await startList();
    await terminal.until("T-001");
    terminal.kill(signal);
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.isAsFound).toBe(true);
  });

  test("a fault leaves it as it was found, and what it was can be read", async () => {
    const terminal = await startList({ env: { FAULT_AT: "!" } }, program);
    await terminal.until("T-001");
    terminal.type("!");
    expect(await terminal.exitCode).not.toBe(0);
    expect(terminal.isAsFound).toBe(true);
    expect(terminal.output.slice(terminal.output.lastIndexOf("\x1b[?1049l"))).toContain("a fault of ours");
  });

  test("it works on 40 columns and 10 rows", async () => {
    const terminal = await startList({ columns: 40, rows: 10 });
    await terminal.until("\x1b[10;1H");
    await terminal.until("T-001");
    expect(terminal.output).not.toContain("\x1b[11;1H");
    terminal.type("q");
    expect(await terminal.exitCode).toBe(0);
  });

  test("it follows the window's size", async () => {
    const terminal = await startList();
    await terminal.until("T-001");
    const before = terminal.output.length;
    terminal.resize(30, 5);
    await terminal.until("\x1b[5;1H\x1b[2mq quit", before);
    terminal.type("q");
    expect(await terminal.exitCode).toBe(0);
  });

  test("it ends with its window", async () => {
    const terminal = await startList();
    await terminal.until("T-001");
    terminal.hangUp();
    await eventually("its end", () => !isAlive(terminal.pid));
  });

  test("NO_COLOR keeps colours out, not the list", async () => {
    const terminal = await startList({ env: { NO_COLOR: "1" } });
    await terminal.until("T-001");
    terminal.type("q");
    await terminal.exitCode;
    expect(terminal.output).not.toMatch(new RegExp(`${"\x1b"}\\[\\d+m`));
  });

  test("there is none on a dumb terminal, but a table", async () => {
    const terminal = await startList({ env: { TERM: "dumb" } });
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.output).toContain("T-001");
    expect(terminal.output).not.toContain("\x1b");
  });

  test("e opens the editor on the same terminal and comes back", async () => {
    const folder = makeFolder();
    const editor = makeEditor(folder, `read word; sed -i "s/^# .*/# typed $word/" "$1"`);
    const terminal = await startList({ env: { EDITOR: editor, TMPDIR: folder } });
    await terminal.until("T-001");
    terminal.type("e");
    await terminal.until("\x1b[?1049l");
    const before = terminal.output.length;
    terminal.type("hello\n");
    await terminal.until("\x1b[?1049h", before);
    await terminal.until("typed hello", before);
    terminal.type("q");
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.isAsFound).toBe(true);
    expect(readdirSync(folder).filter((name) => name.startsWith("forge-edit"))).toEqual([]);
  });
});

describeWith(["script"], "a program on the person's terminal", () => {
  test("Ctrl+C is for it, and for us again once it has ended", async () => {
    const terminal = start([
      "attach",
      "sh",
      "--",
      "-c",
      'trap "echo it is mine; exit 7" INT; echo ready; read x; read x',
    ]);
    await terminal.until("ready");
    terminal.type("\x03");
    await terminal.until('ended {"code":7}');
    expect(terminal.output).toContain("it is mine");
    expect(terminal.output).not.toContain("interrupted");
    terminal.type("\x03");
    await terminal.until("interrupted");
    expect(await terminal.exitCode).toBe(0);
  });

  test("a signal that kills it is told", async () => {
    const terminal = start(["attach", "sh", "--", "-c", "kill -9 $$"]);
    await terminal.until('ended {"signal":"SIGKILL"}');
    terminal.type("\x03");
    expect(await terminal.exitCode).toBe(0);
  });

  test("it has the person's own environment and no shell reads its arguments", async () => {
    const folder = makeFolder();
    const file = join(folder, "out");
    const args = ["-c", 'printf "%s|%s" "$GREETING" "$1" > "$2"', "sh", "$(echo no) ; 'x", file];
    const terminal = start(["attach", "sh", "--", ...args], { env: { GREETING: "hello" } });
    await terminal.until('ended {"code":0}');
    expect(readFileSync(file, "utf8")).toBe("hello|$(echo no) ; 'x");
    terminal.type("\x03");
    await terminal.exitCode;
  });

  test("one that is not there is named", async () => {
    const terminal = start(["attach", "no-such-program"]);
    expect(await terminal.exitCode).toBe(1);
    expect(terminal.output).toContain("no-such-program could not be started: the program was not found.");
  });
});
