import type { Call } from "../../../kernel/calls/call.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Contract } from "../model/contract.ts";
import { type ContractName, isProjectContract } from "../model/contract-names.ts";
import type { GovernanceServices } from "../model/services.ts";
import { noteSharedContracts, noteSharedProjects } from "./note-shared.ts";
import { parseContract } from "./parse-contract.ts";

type Services = Pick<GovernanceServices, "contracts" | "files" | "projects" | "client" | "sessions" | "foreignTexts">;

/** A contract by name. With a session, those that its project has come from the project. */
export async function getContract(
  services: Services,
  { name, session_id }: { name: ContractName; session_id?: string | undefined },
  call: Call,
): Promise<Contract> {
  const { contracts, projects, sessions } = services;
  const { principal, signal } = call;
  await noteSharedContracts(services, call);
  const session = isProjectContract(name) ? await sessions.find(principal, session_id) : undefined;
  if (!session || !isProjectContract(name)) return contracts.get(name, signal);
  await noteSharedProjects(services, call);
  try {
    const { content: text } = await projects.contract(session.project_id, name, signal);
    return { ...(await parseContract(name, text)), source: "project_db" };
  } catch (error) {
    if (!(error instanceof ForgeError) || (error.code !== "NOT_FOUND" && error.code !== "CONTRACT_NOT_FOUND"))
      throw error;
    const shared = await contracts.get(name, signal);
    const warning = `${error.message} This is the contract that all projects share.`;
    return { ...shared, source: "framework", warnings: [warning, ...(shared.warnings ?? [])] };
  }
}
