import { ForgeError } from "../../../kernel/errors.ts";

export function pgvectorMissing(): ForgeError {
  return new ForgeError("DEPENDENCY_ERROR", "The server does not have the extension pgvector.", {
    next: ["Install pgvector on the PostgreSQL server, or unset FORGE_PGVECTOR_URL."],
  });
}

export function oldPgvector(version: string): ForgeError {
  return new ForgeError(
    "DEPENDENCY_ERROR",
    `The server has pgvector ${version.slice(0, 20)}; 0.8 or newer is required.`,
    {
      details: { version: version.slice(0, 20) },
      next: ["Update pgvector on the PostgreSQL server, then run ALTER EXTENSION vector UPDATE."],
    },
  );
}

export function twoSharedStores(): ForgeError {
  return new ForgeError("CONFIG_ERROR", "Both FORGE_QDRANT_URL and FORGE_PGVECTOR_URL are set.", {
    details: { settings: ["qdrantUrl", "pgvectorUrl"] },
    next: ["Unset one of them: memories are shared through one server."],
  });
}

export function wrongVectorSize(name: string, size: number, ours: number): ForgeError {
  return new ForgeError(
    "CONFIG_ERROR",
    `The collection ${name} has vectors of ${size} numbers; the embedding model makes ${ours}.`,
  );
}

export function qdrantRefused(status: number): ForgeError {
  return new ForgeError("DEPENDENCY_ERROR", `It answered ${status}.`);
}

export function notQdrant(): ForgeError {
  return new ForgeError("DEPENDENCY_ERROR", "It did not respond like a Qdrant server.");
}
