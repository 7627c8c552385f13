import type { CheckResult } from "./governance-check.ts";
import { invariantsFile } from "./policy.ts";

type Finding = { rule: string; level: "error" | "warning"; text: string; file: string; line: number };

/** The findings of a check as SARIF 2.1.0, which code hosts show beside the lines. */
export function toSarif(result: CheckResult, version: string) {
  const findings = listFindings(result);
  const rules = [...new Set(findings.map(({ rule }) => rule))].sort();
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "Forge", version, rules: rules.map((id) => ({ id, name: id })) } },
        results: findings.map(({ rule, level, text, file, line }) => ({
          ruleId: rule,
          ruleIndex: rules.indexOf(rule),
          level,
          message: { text },
          locations: [{ physicalLocation: { artifactLocation: { uri: toUri(file) }, region: { startLine: line } } }],
        })),
      },
    ],
  };
}

function toUri(file: string): string {
  return file.split("/").map(encodeURIComponent).join("/");
}

function listFindings({ invariants, violations, syntax_errors, expired_waivers }: CheckResult): Finding[] {
  return [
    ...violations
      .filter(({ status }) => status === "new")
      .map(({ layer, file, line, rule, reason }): Finding => {
        const text = `${layer} must not contain ${rule}${reason === "" ? "." : `: ${reason}`}`;
        return { rule: `boundary/${layer}`, level: "error", text, file, line };
      }),
    ...syntax_errors.map(({ file, line, message }): Finding => {
      return { rule: "invariant/syntax_errors", level: "error", text: message, file, line };
    }),
    ...invariants.flatMap(({ name, status, message }): Finding[] => {
      if (name === "syntax_errors" || (status !== "broken" && status !== "warning")) return [];
      const level = status === "broken" ? "error" : "warning";
      return [{ rule: `invariant/${name}`, level, text: `${name} ${message}`, file: invariantsFile, line: 1 }];
    }),
    ...expired_waivers.map(({ rule, until }): Finding => {
      const text = `The waiver of ${rule} expired on ${until}.`;
      return { rule: "waiver/expired", level: "error", text, file: invariantsFile, line: 1 };
    }),
  ];
}
