export type ContractFormat = "json" | "yaml" | "markdown";

/** Every contract by its name, with its file in `Forge/Contracts/`. */
export const contractFiles = {
  boundaries: "boundaries.json",
  physics: "physics.yaml",
  blueprint: "blueprint.md",
  builder_contract: "builder_contract.md",
  builder_directive: "builder_directive.md",
  manifesto: "manifesto.md",
  phases: "phases.md",
  schema: "schema.md",
  stack: "stack.md",
  system_prompt: "system_prompt.md",
  ui: "ui.md",
  auditor_prompt: "auditor_prompt.md",
  recovery_planner_prompt: "recovery_planner_prompt.md",
  remediation: "Remediation.md",
  desktop_distribution_plan: "Desktop_Distribution_Plan.md",
} as const;

export type ContractName = keyof typeof contractFiles;

export const contractNames = Object.keys(contractFiles) as [ContractName, ...ContractName[]];

/** The contracts that a project can have in the database. */
export const projectContractTypes = [
  "manifesto",
  "blueprint",
  "stack",
  "schema",
  "physics",
  "boundaries",
  "ui",
  "phases",
  "builder_directive",
] as const satisfies ContractName[];

export type ProjectContractType = (typeof projectContractTypes)[number];

export const contractsFolder = "Forge/Contracts";

export function formatOf(name: ContractName): ContractFormat {
  const file = contractFiles[name];
  if (file.endsWith(".json")) return "json";
  return file.endsWith(".yaml") ? "yaml" : "markdown";
}

/** All contracts by name, with whether each is there. */
export function listContracts(isAvailable: (name: ContractName) => boolean) {
  return contractNames.map((name) => ({
    name,
    filename: contractFiles[name],
    format: formatOf(name),
    available: isAvailable(name),
  }));
}

export function isProjectContract(name: string): name is ProjectContractType {
  return projectContractTypes.some((type) => type === name);
}
