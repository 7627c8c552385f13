import type { InvariantFacts } from "../model/contract.ts";

/** The invariants that every project has. */
export const builtInInvariants: readonly InvariantFacts[] = [
  fact("backend_test_count", "monotonic_up", "Number of backend tests. It may grow, not shrink."),
  fact("frontend_test_count", "monotonic_up", "Number of frontend tests. It may grow, not shrink."),
  fact("backend_test_failures", "equal", "Number of failing backend tests. It must be 0."),
  fact("frontend_test_failures", "equal", "Number of failing frontend tests. It must be 0."),
  fact("total_files", "monotonic_up", "Number of files in the project. It may grow, not shrink."),
  fact("migration_count", "monotonic_up", "Number of database migrations. One that was released is never removed."),
  fact("syntax_errors", "equal", "Number of files that do not parse. It must be 0."),
];

function fact(name: string, constraint: InvariantFacts["constraint"], description: string): InvariantFacts {
  return { name, constraint, default_value: 0, description };
}
