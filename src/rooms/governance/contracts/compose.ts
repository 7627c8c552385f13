import { ForgeError } from "../../../kernel/errors.ts";
import { isRecord } from "../../../kernel/json.ts";
import type { Contract, ContractSource } from "../model/contract.ts";
import { type ContractName, contractNames } from "../model/contract-names.ts";
import { listOf, tableOf } from "../model/json-parts.ts";
import { constraintNames } from "../model/schemas.ts";

/** Everything an assistant should read before it changes code, in one answer. A missing part says so in its place. */
export async function composeGovernance(source: ContractSource, signal: AbortSignal) {
  const parts = ["builder_contract", "boundaries", "stack"] as const;
  const [entries, { invariants, warnings = [] }, ...contracts] = await Promise.all([
    source.list(signal),
    source.invariants(signal),
    ...parts.map((name) => readOrExplain(source, name, signal)),
  ]);
  const sections: Record<string, unknown> = {};
  const all: string[] = [];
  for (const [index, name] of parts.entries()) {
    const read = contracts[index];
    if (!read) continue;
    if ("error" in read) sections[`${name}_error`] = read.error;
    else {
      const { content, warnings: own = [] } = read.contract;
      sections[name] = name === "boundaries" ? describeBoundaries(content) : content;
      all.push(...own);
    }
  }
  all.push(...warnings);
  return {
    governance_version: "1.0",
    description: "The rules of this project. Read them before you change code, and keep to them.",
    sections: { ...sections, invariants },
    available_contracts: entries.filter(({ available }) => available).map(({ name }) => name),
    hint: "Read any other available contract by its name before you work on what it covers.",
    ...(all.length > 0 && { warnings: all }),
  };
}

/** An overview: which contracts, layers and invariants there are, and where a server has them. */
export async function composeSummary(source: ContractSource, signal: AbortSignal) {
  const [entries, boundaries, { invariants }] = await Promise.all([
    source.list(signal),
    readOrExplain(source, "boundaries", signal),
    source.invariants(signal),
  ]);
  const { layers } = describeBoundaries("contract" in boundaries ? boundaries.contract.content : {});
  return {
    framework: "Forge",
    description:
      "Contracts say what a project is and how it is built; invariants and boundaries are checked by a machine.",
    contracts: [...contractNames],
    available_contracts: entries.filter(({ available }) => available).map(({ name }) => name),
    architectural_layers: layers.map(({ name, description, forbidden }) => ({
      name,
      description,
      forbidden_count: forbidden.length,
    })),
    invariants: invariants.map(({ name }) => name),
    endpoints,
  };
}

const endpoints: Record<string, string> = {
  summary: "GET /forge/summary",
  contracts: "GET /forge/contracts",
  contract: "GET /forge/contracts/{name}",
  invariants: "GET /forge/invariants",
  project_context: "GET /api/mcp/context/{project_id}",
  project_contract: "GET /api/mcp/context/{project_id}/{contract_type}",
  build_contracts: "GET /api/mcp/build/{build_id}/contracts",
};

export async function composeInvariants(source: ContractSource, signal: AbortSignal) {
  const { invariants, warnings } = await source.invariants(signal);
  return {
    invariants,
    constraint_types: constraintNames.map((value) => ({ name: value.toUpperCase(), value })),
    total: invariants.length,
    ...(warnings && { warnings }),
  };
}

type ReadContract = { contract: Contract } | { error: string };

async function readOrExplain(source: ContractSource, name: ContractName, signal: AbortSignal): Promise<ReadContract> {
  try {
    return { contract: await source.get(name, signal) };
  } catch (error) {
    if (error instanceof ForgeError && (error.code === "CONTRACT_NOT_FOUND" || error.code === "VALIDATION_ERROR"))
      return { error: error.message };
    throw error;
  }
}

type LayerText = { name: string; glob: string; description: string; forbidden: string[] };

/** The layers in a form that is short to read: each rule is one text. What is not as expected is left out. */
function describeBoundaries(content: unknown): { layers: LayerText[]; known_violations: unknown[] } {
  const { layers, known_violations: known } = tableOf(content);
  return {
    layers: listOf(layers)
      .filter(isRecord)
      .map((layer) => ({
        name: text(layer["name"]),
        glob: text(layer["glob"]),
        description: text(layer["description"]),
        forbidden: [...listOf(layer["forbidden"]), ...listOf(layer["forbidden_imports"])].map(describeRule),
      })),
    known_violations: listOf(known),
  };
}

function describeRule(rule: unknown): string {
  if (!isRecord(rule)) return text(rule);
  const what = text(rule["pattern"] ?? rule["import"]);
  const reason = text(rule["reason"]);
  return reason === "" ? what : `${what} — ${reason}`;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
