import { type ServerAddress, serverAddress } from "./address.ts";
import { notSignedIn, signedInElsewhere, tokenWithoutServer } from "./errors.ts";
import type { ConfigFile } from "./login/config-file.ts";

/** Which server this program works with, and with what it signs in. */
export type ChosenServer = { address: ServerAddress; signIn: { token: string } | "stored" };

/** The server of sign-ins by programs that know only one. */
const unnamedServer = "https://www.forge-ai.dev/api";

type Given = { apiUrl: string | undefined; token: string | undefined; file: ConfigFile };

/** `FORGE_API_URL` with `FORGE_TOKEN`, or else the server that the person is signed in to; undefined where all is local. */
export async function chooseServer({ apiUrl, token, file }: Given): Promise<ChosenServer | undefined> {
  const named = apiUrl === undefined ? undefined : serverAddress(apiUrl, "FORGE_API_URL");
  if (token !== undefined) {
    if (named) return { address: named, signIn: { token } };
    throw tokenWithoutServer();
  }
  const login = await file.read();
  if (!login) {
    if (!named) return undefined;
    throw notSignedIn(`You are not signed in to ${named.origin}, which FORGE_API_URL is set to.`);
  }
  const signedIn = login.apiUrl === undefined ? undefined : serverAddress(login.apiUrl, file.path);
  if (named && signedIn && named.api !== signedIn.api) {
    // A token is only sent to the server that gave it.
    throw signedInElsewhere(signedIn.origin, named.origin);
  }
  return { address: named ?? signedIn ?? serverAddress(unnamedServer, file.path), signIn: "stored" };
}
