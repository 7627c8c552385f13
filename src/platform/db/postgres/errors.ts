import { ForgeError } from "../../../kernel/errors.ts";
import { errorCode } from "../../host/error-code.ts";
import type { PostgresAddress } from "./database-url.ts";
import { isNameError } from "./prepared-names.ts";

/** Two transactions could not both have been alone, or waited for each other; running this one again will do. */
export function isCollision(error: unknown): boolean {
  const code = errorCode(error);
  return code === "40001" || code === "40P01" || isNameError(error);
}

/** True where the server itself said no: then the connection is sound. Anything else leaves its state unknown. */
export function isServerAnswer(error: unknown): boolean {
  return error instanceof Error && "severity" in error && errorCode(error)?.length === 5;
}

/** What a user can do something about becomes a STORE_ERROR; anything else is returned as it is. */
export function explainPostgres(error: unknown, address: PostgresAddress): unknown {
  const words = wordsFor(error, address);
  if (!words) return error;
  const [message, ...next] = words;
  // No cause: what the driver throws may repeat connection settings.
  return new ForgeError("STORE_ERROR", message, {
    details: { host: address.host, database: address.database },
    next,
  });
}

function wordsFor(error: unknown, { shown, user, database }: PostgresAddress): [string, ...string[]] | undefined {
  const code = errorCode(error);
  switch (code) {
    case "28P01":
    case "28000":
      return [
        `PostgreSQL at ${shown} did not accept ${user === "" ? "the user" : `the user ${user}`}.`,
        "Check the user and the password in FORGE_DATABASE_URL or DATABASE_URL. Special characters are written as %XX.",
      ];
    case "3D000":
      return [
        `PostgreSQL has no database ${database} (${shown}).`,
        "Create it, or use another one in FORGE_DATABASE_URL or DATABASE_URL.",
      ];
    case "42501":
      return [
        `The user ${user} does not have permission for this in PostgreSQL at ${shown}.`,
        "Allow the user to create tables in the database's schema.",
      ];
    case "53100":
      return [
        `The disk of PostgreSQL at ${shown} is full. The change was not made.`,
        "Free some space there, then try again.",
      ];
    case "53300":
      return [`PostgreSQL at ${shown} has no free connections.`, "Try again, or raise max_connections on the server."];
    case "25006":
      return [
        `PostgreSQL at ${shown} is read-only (a standby?).`,
        "Set FORGE_DATABASE_URL or DATABASE_URL to the primary server.",
      ];
    case "40001":
    case "40P01":
      return [
        `The change kept colliding with others in PostgreSQL at ${shown} and was not made.`,
        "Try again when there are fewer writers.",
      ];
    case "55P03":
      return [
        `PostgreSQL at ${shown} was busy with other writers, and the change was not made.`,
        "Try again. If the problem persists, check the server for a transaction that does not end.",
      ];
  }
  if (isEncryptionFailure(error, code)) {
    return [
      `An encrypted connection to PostgreSQL at ${shown} could not be established.`,
      "Check sslmode in FORGE_DATABASE_URL or DATABASE_URL and the server's certificate; sslrootcert names the certificate of your own authority.",
    ];
  }
  if (code?.startsWith("57P") || code?.startsWith("08") || isNetworkFailure(error, code)) {
    return [
      `PostgreSQL at ${shown} cannot be reached.`,
      "Check that the server is running, and the host and port in FORGE_DATABASE_URL or DATABASE_URL.",
      "To work without a server, unset FORGE_DATABASE_URL or DATABASE_URL. Forge then stores its data in a file.",
    ];
  }
  return undefined;
}

const networkCodes = [
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
  "ENOENT",
  "EACCES",
];

/** The driver's own errors have no code, only these words. */
const networkWords =
  /^(timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Client (was closed|has encountered a connection error))/;

function isNetworkFailure(error: unknown, code: string | undefined): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some((inner) => isNetworkFailure(inner, errorCode(inner)));
  return code === undefined ? networkWords.test(error.message) : networkCodes.includes(code);
}

function isEncryptionFailure(error: unknown, code: string | undefined): boolean {
  if (code !== undefined) return /CERT|^ERR_(SSL|TLS)/.test(code);
  return error instanceof Error && error.message.startsWith("The server does not support SSL connections");
}
