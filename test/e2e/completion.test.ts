import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { InteractiveShell, ShellPlace } from "../harness/cli/shells.ts";
import { describeWith } from "../harness/faults/faults.ts";

let place: ShellPlace;

beforeAll(() => {
  place = new ShellPlace();
  writeFileSync(join(place.folder, "input.json"), "{}");
});
afterAll(() => place.dispose());

/** What a person types before Tab, and what then stands on the line. */
const lines: [keys: string, line: string][] = [
  ["forge toolse\t", "forge toolsets "],
  ["forge --json toolsets --read-o\t", "forge --json toolsets --read-only "],
  ["forge call get_rep\t", "forge call get_repository_context "],
  ["forge call get_repository_context pa\t", "forge call get_repository_context path="],
  ["forge call --input inp\t", "forge call --input input.json "],
  ["forge resource forge://act\t", "forge resource forge://activity "],
  ["forge mcp --toolsets=ticke\t", "forge mcp --toolsets=tickets "],
];

describeWith(["bash", "script"], "bash", () => {
  test("Tab finishes words, also those with = and : in them", async () => {
    const script = place.script("bash");
    const shell = new InteractiveShell(place, "bash --norc --noprofile -i", (file) => [
      `source '${script}'`,
      `dump() { printf '%s|' "$READLINE_LINE" > '${file}'; }`,
      `bind -x '"\\C-x": dump'`,
    ]);
    onTestFinished(() => shell.end());
    for (const [keys, line] of lines) expect(await shell.lineAfter(keys)).toBe(line);
  });

  test("the script is sound, and quiet where forge is not there", () => {
    const script = place.script("bash");
    execFileSync("bash", ["-n", script]);
    const silent = `source '${script}'; PATH=/nonexistent; COMP_LINE='forge x'; COMP_POINT=7; _forge; echo "\${#COMPREPLY[@]}"`;
    expect(execFileSync("bash", ["-uc", silent], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })).toBe("0\n");
  });
});

describeWith(["zsh", "script"], "zsh", () => {
  test("Tab finishes words", async () => {
    const script = place.script("zsh");
    const shell = new InteractiveShell(place, "zsh -f -i", (file) => [
      `autoload -U compinit; compinit -u -d '${place.folder}/zcompdump'; source '${script}'`,
      `dump() { print -rn -- "$BUFFER|" > '${file}' }; zle -N dump; bindkey '^X' dump; bindkey '^U' kill-whole-line`,
    ]);
    onTestFinished(() => shell.end());
    for (const [keys, line] of lines) expect(await shell.lineAfter(keys)).toBe(line);
  });
});

describeWith(["fish"], "fish", () => {
  test.each(lines.map(([keys, line]) => [keys.replace("\t", ""), line.trimEnd()]))("%s", (typed, line) => {
    const script = place.script("fish");
    const offered = execFileSync("fish", ["--no-config", "-c", `source '${script}'; complete -C '${typed}'`], {
      encoding: "utf8",
      env: place.env,
      cwd: place.folder,
    });
    expect(offered.split("\n").map((answer) => answer.split("\t", 1)[0])).toContain(line.split(" ").at(-1));
  });
});

test("PowerShell gets a completer that asks with the words so far", () => {
  const script = execFileSync("forge", ["completion", "powershell"], { encoding: "utf8", env: place.env });
  expect(script).toContain("Register-ArgumentCompleter -Native -CommandName forge");
  expect(script).toContain('& forge __complete -- @words "$typed"');
});
