import { createHash, createHmac, randomBytes } from "node:crypto";
import { ForgeError } from "../../kernel/errors.ts";
import { readPrivateFile, writePrivateFile } from "../files/write/private-file.ts";
import { userPath } from "../host/user-folder.ts";

const form = /^[A-Za-z0-9_-]{43}$/;

/**
 * The token of a project's local server: made once and kept in the user's home, never in the project, so that what an
 * assistant was told stays valid after a restart.
 */
export async function readLinkToken(projectRoot: string, folder = userPath("links")): Promise<string> {
  const name = createHash("sha256").update(projectRoot).digest("hex").slice(0, 32);
  const file = `${folder}/${name}`;
  const known = await read(file);
  if (known !== undefined) return known;
  try {
    await writePrivateFile(file, randomBytes(32).toString("base64url"), { mustBeNew: true });
  } catch (error) {
    if (!(error instanceof ForgeError) || error.code !== "CONFLICT_ERROR") throw error;
  }
  const made = await read(file);
  if (made === undefined) throw unusable(file);
  return made;
}

/** A server is asked to show that it knows the token before it is told: any program can listen on a port. */
export const challengeHeader = "forge-challenge";
export const proofHeader = "forge-proof";

export function proveLink(token: string, challenge: string): string {
  return createHmac("sha256", token).update(`proof ${challenge}`).digest("hex");
}

async function read(file: string): Promise<string | undefined> {
  const content = (await readPrivateFile(file))?.toString("latin1").trim();
  if (content !== undefined && !form.test(content)) throw unusable(file);
  return content;
}

function unusable(file: string): ForgeError {
  return new ForgeError("CONFIG_ERROR", `${file} should contain the token of a project's local server, but does not.`, {
    details: { file },
    next: ["Move the file away. Forge creates a new token; connect your assistants again with it."],
  });
}
