import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { Program } from "../../src/app/local/program.ts";
import { resolveSettings } from "../../src/app/settings/config.ts";
import type { Call } from "../../src/kernel/calls/call.ts";
import { ForgeError } from "../../src/kernel/errors.ts";
import { Redactor } from "../../src/kernel/text/redactor.ts";
import { findProject } from "../../src/platform/state/project.ts";
import { callRecord } from "../harness/cli/cli.ts";
import { runForge, runForgeOnTerminal } from "../harness/cli/terminal.ts";

/** The program's own guard in a project of its own, and the person's commands beside it. */
function start() {
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), "forge-approve-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [cwd, home] = [join(root, "shop"), join(root, "home")];
  for (const folder of [cwd, home]) mkdirSync(folder);
  vi.stubEnv("HOME", home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { settings } = resolveSettings({ flags: {}, env: {}, file: undefined });
  const options = { settings, project: findProject(cwd), cwd, redactor: new Redactor(), log: () => undefined };
  const program = new Program({ ...options, atKeyboard: false });
  onTestFinished(() => program.close());
  const { PATH = "" } = process.env;
  const place = { cwd, env: { PATH, HOME: home } };
  const forge = (...args: string[]) => runForge(args, place);
  /** On a terminal, with a program that answers `y` on stdin and a person who types this. */
  const forgePiped = (typed: string, ...args: string[]) => runForgeOnTerminal(args, typed, { ...place, stdin: "y" });
  return { program, forge, forgePiped };
}

function callOf(program: Program): Call {
  return {
    principal: program.principal("claude-code"),
    signal: new AbortController().signal,
    record: callRecord({ name: "write_file", evidence: [] }),
    report: () => undefined,
    log: () => undefined,
    noteUntrusted: async () => undefined,
    canAsk: () => false,
    ask: async () => ({}),
  };
}

test("H06 a change that waits is listed, approved by another process, and made once", async () => {
  const { program, forge, forgePiped } = start();
  const { guard } = await program.store();
  await guard.noteUntrusted(program.principal("claude-code"));
  const wish = async () => {
    const call = callOf(program);
    const action = { summary: "Write docs/public.md", touches: ["file:docs/public.md"], content: "x" };
    const refusal = await guard.require(call, action, { touches: [] }).catch((error: unknown) => error);
    const { details } = refusal instanceof ForgeError ? refusal : { details: undefined };
    return { evidence: call.record.evidence, approval: details?.["approval"] };
  };
  const first = await wish();
  expect(first.evidence).toEqual(["guard:refused:outside-scope"]);
  const id = String(first.approval);
  expect((await forge("approve")).output).toContain(`${id}  claude-code`);
  expect(await forge("approve", id)).toMatchObject({ code: 1, output: expect.stringContaining("no terminal") });
  expect((await wish()).approval).toBe(id);
  expect((await forge("approve", id, "--yes")).code).not.toBe(0);
  // What is piped into it is not a person's answer.
  expect(await forgePiped("n\r", "approve", id)).toMatchObject({ code: 1 });
  expect((await wish()).approval).toBe(id);
  expect((await forgePiped("y\r", "approve", id)).code).toBe(0);
  expect(await wish()).toEqual({ evidence: [`guard:confirmed-by-person:${id}`], approval: undefined });
  expect((await wish()).evidence).toEqual(["guard:refused:outside-scope"]);
});
