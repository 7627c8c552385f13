import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { installPushHook } from "../../check/install-hook.ts";
import { actionsSnippet } from "../../guides/hook-texts.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const installGovernanceHook = defineTool({
  name: "install_governance_hook",
  title: "Check the rules before each push",
  description:
    "Installs a pre-push hook that checks the project's rules, so that a broken one stops the push. An existing hook is left " +
    "as it is.",
  effect: "act",
  surfaces: ["cli"],
  input: z.object({
    github_actions: z.boolean().optional().describe("Print a GitHub Actions job instead, and change nothing"),
  }),
  output: z.object({ path: z.string().optional(), installed: z.boolean(), snippet: z.string().optional() }),
  async run({ root, git }: GovernanceServices, { github_actions }, { signal }) {
    if (github_actions) return { installed: false, snippet: actionsSnippet };
    return installPushHook(git, root, signal);
  },
});
