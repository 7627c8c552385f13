import { ForgeError } from "../../kernel/errors.ts";
import { tryParseRecord } from "../../kernel/json.ts";

/** What the file of an origin holds: the token itself, or word that the keyring has it. */
export type SecretRecord = { origin: string; where: "file"; token: string } | { origin: string; where: "keyring" };

export function parseRecord(text: string, path: string, origin: string): SecretRecord {
  const value = tryParseRecord(text);
  if (value?.["origin"] === origin) {
    if (value["where"] === "keyring") return { origin, where: "keyring" };
    if (value["where"] === "file" && typeof value["token"] === "string")
      return { origin, where: "file", token: value["token"] };
  }
  throw new ForgeError("CONFIG_ERROR", `The file ${path} does not contain a token for ${origin}.`, {
    details: { path, origin },
    next: [`Sign in to ${origin} again to write it.`],
  });
}

/** Names of files are the origins, with what file systems object to written as `%3A`. */
export const fileNameOf = (origin: string) => encodeURIComponent(origin);

export function originOfFileName(name: string): string | undefined {
  try {
    const origin = decodeURIComponent(name);
    return URL.canParse(origin) && new URL(origin).origin === origin ? origin : undefined;
  } catch {
    return undefined;
  }
}
