import { ForgeError } from "../../kernel/errors.ts";
import { type ServerAddress, serverAddress } from "./address.ts";
import type { ConfigFile } from "./config-file.ts";
import { notSignedIn } from "./credentials.ts";

/** Which server this program works with, and with what it signs in. */
export type ChosenServer = { address: ServerAddress; signIn: { token: string } | "stored" };

/** Sign-ins of programs that know one server only are for that one. */
const unnamedServer = "https://www.forge-ai.dev/api";

type Given = { apiUrl: string | undefined; token: string | undefined; file: ConfigFile };

/** `FORGE_API_URL` with `FORGE_TOKEN`, or else the server that the person is signed in to; undefined where all is local. */
export async function chooseServer({ apiUrl, token, file }: Given): Promise<ChosenServer | undefined> {
  const named = apiUrl === undefined ? undefined : serverAddress(apiUrl, "FORGE_API_URL");
  if (token !== undefined) {
    if (named) return { address: named, signIn: { token } };
    throw new ForgeError("CONFIG_ERROR", "FORGE_TOKEN is set, but not the server it is for.", {
      next: ["Set FORGE_API_URL to the server's address, https://host/api, or unset FORGE_TOKEN."],
    });
  }
  const login = await file.read();
  if (!login) {
    if (!named) return undefined;
    throw notSignedIn(`You are not signed in to ${named.origin}, which FORGE_API_URL names.`);
  }
  const signedIn = login.apiUrl === undefined ? undefined : serverAddress(login.apiUrl, file.path);
  if (named && signedIn && named.api !== signedIn.api) {
    // A token goes to the server that gave it, and to no other.
    throw notSignedIn(`You are signed in to ${signedIn.origin}, but FORGE_API_URL names ${named.origin}.`, [
      `Run \`forge login --replace\` to be signed in to ${named.origin} instead.`,
      `Unset FORGE_API_URL to go on with ${signedIn.origin}.`,
    ]);
  }
  return { address: named ?? signedIn ?? serverAddress(unnamedServer, file.path), signIn: "stored" };
}
