import { createHash, createHmac, randomBytes } from "node:crypto";
import { ForgeError } from "../../kernel/errors.ts";
import { readPrivateFile, writePrivateFile } from "../files/write/private-file.ts";
import { userPath } from "../host/user-folder.ts";

const form = /^[A-Za-z0-9_-]{43}$/;

/** Of a project's local server. Neither gives access to the other. */
export type LinkTokens = {
  /** For assistants. */
  client: string;
  /** For the user's browser: the board treats its bearer as the user. */
  board: string;
};

/**
 * The tokens of a project's local server: made once and kept in the user's home, never in the project, so that what an
 * assistant was told stays valid after a restart.
 */
export async function readLinkTokens(projectRoot: string, folder = userPath("links")): Promise<LinkTokens> {
  const name = createHash("sha256").update(projectRoot).digest("hex").slice(0, 32);
  const file = `${folder}/${name}`;
  return { client: await readOrMake(file), board: await readOrMake(`${file}-board`) };
}

async function readOrMake(file: string): Promise<string> {
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

/** A server is asked to show that it knows the board's token before a link with it is shown: any program can listen on a port. */
export const challengeHeader = "forge-challenge";
export const proofHeader = "forge-proof";

/** `place`: the address and port that the server is asked at, so that nobody else can pass the proof on as their own. */
export function proveLink(token: string, challenge: string, place: { address: string; port: number }): string {
  const { address, port } = place;
  return createHmac("sha256", token)
    .update(JSON.stringify(["proof", challenge, address, port]))
    .digest("hex");
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
