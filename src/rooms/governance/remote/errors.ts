import { ForgeError } from "../../../kernel/errors.ts";

export function unexpectedAnswer(what: string): ForgeError {
  return new ForgeError("NETWORK_ERROR", `The server answered, but not with ${what}.`, {
    next: ["Check that FORGEGUARD_URL or FORGE_API_URL is the address of a governance server."],
  });
}
