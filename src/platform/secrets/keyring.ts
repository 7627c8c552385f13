/** The system's own store of secrets: Keychain, Credential Manager, Secret Service. Each method rejects where it has none. */
export type Keyring = {
  get(origin: string): Promise<string | undefined>;
  set(origin: string, token: string): Promise<void>;
  remove(origin: string): Promise<void>;
};

const service = "forge-mcp";
/** A locked keyring may be asking somebody for its password who is not there. */
const keyringTimeoutMs = 10_000;

/** Linux has a second one, in the kernel, that forgets everything when the machine ends; that one is not meant. */
const persistentStore = { linux: { store: "secret-service" } } as const;

/** The library is an optional dependency, loaded when there is something to keep or to fetch. */
export const systemKeyring: Keyring = {
  async get(origin) {
    const entry = await entryFor(origin);
    return (await entry.getPassword(AbortSignal.timeout(keyringTimeoutMs))) ?? undefined;
  },
  async set(origin, token) {
    const entry = await entryFor(origin);
    await entry.setPassword(token, AbortSignal.timeout(keyringTimeoutMs));
    // Some stores take a secret without a word and do not have it afterwards.
    if ((await entry.getPassword(AbortSignal.timeout(keyringTimeoutMs))) !== token) throw new Error("it was not kept");
  },
  async remove(origin) {
    const entry = await entryFor(origin);
    await entry.deleteCredential(AbortSignal.timeout(keyringTimeoutMs));
  },
};

async function entryFor(origin: string) {
  const { AsyncEntry } = await import("@napi-rs/keyring");
  return new AsyncEntry(service, origin, persistentStore);
}
