import type { CheckResult } from "./completion-run.ts";

const maxChecks = 64;

/** What the kit's script printed: its last line, and a line for each check. The exit code, not this, says whether it failed. */
export function readScriptOutput(text: string): { isPassed: boolean; stacks: string[]; checks: CheckResult[] } {
  const lines = text.split("\n").map((line) => line.trim());
  const last = lines.findLast((line) => /CC (?:PASS|FAIL)/.test(line)) ?? "";
  // `✅ CC PASS — [go typescript] — 2026-01-31`
  const [, named = ""] = last.split(/[—–]| - /);
  const stacks = named.split(/[\s,+/[\]]/).filter((name) => /^[a-z0-9]{1,40}$/i.test(name));
  const checks = lines
    .filter((line) => !/CC (?:PASS|FAIL)/.test(line))
    .flatMap((line) => toCheck(line))
    .slice(0, maxChecks);
  return { isPassed: /CC PASS/.test(last), stacks: stacks.slice(0, 16), checks };
}

function toCheck(line: string): CheckResult[] {
  const [, mark, said] = /^(✅|✓|❌|🔴|✗|⚠️?|⏭️?|ℹ️?)(.+)$/u.exec(line) ?? [];
  if (mark === undefined || said === undefined || said.trim() === "") return [];
  const isSkipped = /⏭/u.test(mark) || /skip|non install|not (?:installed|found)|absent|introuvable/i.test(said);
  const outcome = isSkipped ? "skipped" : /✅|✓/u.test(mark) ? "passed" : /❌|🔴|✗/u.test(mark) ? "failed" : "warned";
  return [{ stack: "script", check: said.trim().slice(0, 200), outcome }];
}
