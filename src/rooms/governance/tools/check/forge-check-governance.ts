import * as z from "zod";
import { noteInstalled } from "../../../../commons/guard/installed-files.ts";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { checkResult, since } from "../../model/check-schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

const maxShown = 100;

export const forgeCheckGovernance = defineTool({
  name: "forge_check_governance",
  title: "Check the project's rules",
  description:
    "Check boundaries, syntax and invariants, before you commit. Runs nothing: test numbers come from the latest recorded run.",
  effect: "read",
  untrusted: "repository",
  beyondProfile: true,
  deadlineMs: 120_000,
  input: z.object({ since: since.describe("Use the rules and values of this commit or branch") }),
  output: checkResult,
  async run({ check }: GovernanceServices, { since: revision }, call) {
    const result = await check.check({ since: revision, mode: "static" }, call);
    const open = result.violations.filter(({ status }) => status === "new");
    const omitted = Math.max(0, open.length - maxShown) + Math.max(0, result.syntax_errors.length - maxShown);
    const shown = { violations: open.slice(0, maxShown), syntax_errors: result.syntax_errors.slice(0, maxShown) };
    const named = [...shown.violations, ...shown.syntax_errors].map(({ file }) => file);
    await noteInstalled(call, [...named, ...result.warnings]);
    return {
      ...result,
      ...shown,
      ...(omitted > 0 && { omitted }),
    };
  },
});
