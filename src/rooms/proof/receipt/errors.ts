import { ForgeError } from "../../../kernel/errors.ts";

export function invalidReceipt(why: string): ForgeError {
  return new ForgeError("INTEGRITY_ERROR", `The receipt is not valid: ${why}.`, {
    next: ["Ask for the receipt again; do not rely on this one."],
  });
}

export function notAKey(file: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${file} contains no ed25519 public key.`, {
    details: { file },
    next: ["Give a file with a key that starts with -----BEGIN PUBLIC KEY-----, or a receipt of that key."],
  });
}

export function teamNeeded(): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    "A server signs receipts for all of its teams. Name the team whose receipts you trust.",
    {
      next: [{ command: "whoami", why: "with --json, it shows your team's id" }, "Or give a receipt of that team."],
    },
  );
}

export function nothingVerified(id: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${id} has not been verified, so there is nothing to attest.`, {
    details: { ticketId: id },
    next: [{ tool: "forge_verify_ticket", input: { ticketId: id }, why: "to run its checks" }],
  });
}

export function rerunNeedsSigner(): ForgeError {
  return new ForgeError("TRUST_REQUIRED", "The checks of a receipt are only run again if you trust its signer.", {
    next: [{ command: "receipt trust FILE", why: "if you know whose key it is" }],
  });
}

export function serverSecretMissing(): ForgeError {
  return new ForgeError("CONFIG_ERROR", "The server's key for receipts is encrypted with another secret.", {
    next: ["Set FORGE_SERVER_SECRET to the value that the server was first started with."],
  });
}
