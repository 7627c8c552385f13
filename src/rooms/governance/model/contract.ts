import type { ContractFormat, ContractName } from "./contract-names.ts";

/** A contract as it was read. One that does not parse is its text, with a warning. */
export type Contract = {
  name: ContractName;
  filename: string;
  format: ContractFormat;
  content: unknown;
  /** Where it comes from, if that is not the place the caller would expect: `project_db`. */
  source?: string;
  warnings?: string[];
};

export type ContractEntry = { name: ContractName; filename: string; format: ContractFormat; available: boolean };

type Constraint = "monotonic_up" | "monotonic_down" | "equal" | "non_zero";

/** What an invariant is, without its value. */
export type InvariantFacts = { name: string; constraint: Constraint; default_value: number; description: string };

/** Where the framework's contracts are read: the project's own folder, or a server. */
export interface ContractSource {
  /** Throws CONTRACT_NOT_FOUND where there is none. */
  get(name: ContractName, signal: AbortSignal): Promise<Contract>;
  list(signal: AbortSignal): Promise<ContractEntry[]>;
  invariants(signal: AbortSignal): Promise<{ invariants: InvariantFacts[]; warnings?: string[] }>;
}
