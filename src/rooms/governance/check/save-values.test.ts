import { join } from "node:path";
import { expect, test } from "vitest";
import { read as readFile } from "../../../../test/harness/commons/trust.ts";
import { GovernanceProject } from "../../../../test/harness/rooms/governance.ts";
import { localPrincipal } from "../../../kernel/principal.ts";
import type { CheckResult, GovernanceCheck } from "./governance-check.ts";
import { parsePolicy } from "./policy.ts";
import { PolicyEditor } from "./policy-editor.ts";
import { saveValues } from "./save-values.ts";

test("a better value that was recorded while this one was measured stays", async () => {
  const project = new GovernanceProject({ "Forge/invariants.json": '{"recorded":{"total_files":{"value":5}}}' });
  const read = () => readFile(join(project.root, "Forge/invariants.json"));
  const policyEditor = new PolicyEditor(project.root);
  const check = {
    readPolicy: () => parsePolicy(read(), undefined),
    async check() {
      await policyEditor.setRecorded({ total_files: { value: 90 } });
      const invariants = [{ name: "total_files", value: 60, constraint: "monotonic_up", source: "files" }];
      return { invariants, fixed_violations: [] } as unknown as CheckResult;
    },
  } as unknown as GovernanceCheck;
  const call = { signal: new AbortController().signal, report: () => undefined, principal: localPrincipal("ada") };
  await expect(saveValues({ check, policyEditor }, {}, call)).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
  expect(JSON.parse(read())).toMatchObject({ recorded: { total_files: { value: 90 } } });
});
