import { commandFor } from "../../../commons/cli/command-for.ts";
import type { setTeamPolicy } from "../tools/set-team-policy.ts";
import { commandFacts } from "./shared.ts";

export const teamProof = commandFor<typeof setTeamPolicy>({
  ...commandFacts,
  tool: "set_team_policy",
  name: "team proof",
  summary: "Show or set what the team demands as proof",
  details:
    "The server refuses to complete a ticket that lacks the proof that the team requires. With --ci-only, only verifications " +
    "recorded with a token that has the scope proof:write count; an admin creates it for CI. What CI cannot do is still done by " +
    "people: look checks (--look) and waivers.",
  examples: [
    ["forge team proof", "What the team demands."],
    ["forge team proof required --ci-only", "Proof by CI is required."],
    ["forge team proof warn --no-ci-only", "Completing without proof is allowed, and marked."],
  ],
  group: "server",
  arguments: [{ field: "proof", name: "policy", required: false, help: "off, warn or required." }],
  options: { ciOnly: { flag: "ci-only", negatable: true } },
  print: ({ proof, ciOnly }, out) => out.print(`Proof: ${proof}${ciOnly ? "; only verifications by CI count" : ""}`),
});
