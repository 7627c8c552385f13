import { ForgeError } from "../../kernel/errors.ts";

/** What the file of an origin holds: the token itself, or word that the keyring has it. */
export type SecretRecord = { origin: string; where: "file"; token: string } | { origin: string; where: "keyring" };

export function parseRecord(text: string, path: string, origin: string): SecretRecord {
  const value = parseJson(text);
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

/** The parser's own error quotes the text. */
function parseJson(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
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
