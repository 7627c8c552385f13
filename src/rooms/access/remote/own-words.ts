import type { ServerAddress } from "../../../commons/remote/index.ts";
import { ForgeError } from "../../../kernel/errors.ts";

/** What a server said of a request, for a person who gave a command and knows nothing of requests. */
export function inOwnWords(error: unknown, address: ServerAddress): unknown {
  if (!(error instanceof ForgeError)) return error;
  if (isForeignAbsence(error)) return anotherKind(error, address);
  const issues = error.code === "VALIDATION_ERROR" ? error.details?.["issues"] : undefined;
  if (!Array.isArray(issues) || issues.length === 0) return error;
  return new ForgeError("VALIDATION_ERROR", `The server does not accept this: ${issues.map(String).join("; ")}.`, {
    details: { issues },
    next: ["Correct it, and give the command again; with --help it says what it takes."],
  });
}

/** Whether something other than a server of ours said that there is nothing: those say which thing is not there. */
export function isForeignAbsence({ code, details }: ForgeError): boolean {
  return code === "NOT_FOUND" && details?.["status"] !== undefined;
}

function anotherKind({ details }: ForgeError, { origin }: ServerAddress): ForgeError {
  return new ForgeError(
    "NOT_FOUND",
    `The server at ${origin} cannot do this: it is no Forge server, or of another kind than \`forge serve\`.`,
    {
      ...(details && { details }),
      next: ["Check the address. If it is right, use what that server has for it in its own pages."],
    },
  );
}
