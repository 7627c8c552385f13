import type { Action } from "../../../kernel/action.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { type ContractName, contractFiles, contractsFolder } from "./contract-names.ts";

const listContracts: Action = { tool: "forge_list_contracts", why: "to see which contracts exist" };

export function contractNotFound(name: ContractName): ForgeError {
  const file = `${contractsFolder}/${contractFiles[name]}`;
  return new ForgeError(
    "CONTRACT_NOT_FOUND",
    `This project has no contract "${name}" (${file}). That is normal: every contract is optional.`,
    {
      details: { name, file },
      next: [listContracts, { command: `governance init ${name}`, why: "to create a first version of it" }],
    },
  );
}

export function contractTooLarge(what: string, size: number, max: number): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${what} is too large: ${size} bytes; the limit is ${max}.`, {
    details: { size, max },
    next: ["Shorten it, or move parts of it to other files and refer to them."],
  });
}

export function unreadableContract(file: string, why: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${file} cannot be used as a contract: ${why}`, {
    details: { file },
    next: ["A contract is a UTF-8 text file of at most 1 MiB."],
  });
}

export function noServer(): ForgeError {
  return new ForgeError("CONFIG_ERROR", "You are not signed in to a server, so there is nowhere to share contracts.", {
    next: [
      { command: "login --url URL", why: "to sign in to your team's server" },
      "Or set FORGEGUARD_URL and FORGEGUARD_API_KEY.",
    ],
  });
}
