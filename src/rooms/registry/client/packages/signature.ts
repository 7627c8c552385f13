import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { ForgeError } from "../../../../kernel/errors.ts";
import { isRecord } from "../../../../kernel/json.ts";
import { readPrivateFile, writePrivateFile } from "../../../../platform/files/write/private-file.ts";

/** Who vouches for a package: an ed25519 key, and its signature over the name, the version and the content's hash. */
export type Signature = { key: string; signature: string };
type Signed = { name: string; version: string; integrity: string };

export function parseSignature(value: unknown): Signature | undefined {
  if (!isRecord(value)) return undefined;
  const { key, signature } = value;
  return typeof key === "string" && typeof signature === "string" ? { key, signature } : undefined;
}

export function isSignedBy({ key, signature }: Signature, signed: Signed): boolean {
  const publicKey = readKey(key);
  if (publicKey?.asymmetricKeyType !== "ed25519") return false;
  try {
    return verify(null, payloadOf(signed), publicKey, Buffer.from(signature, "base64"));
  } catch {
    return false;
  }
}

/** Short enough to be compared by a person. */
export function fingerprintOf(key: string): string {
  return createHash("sha256").update(Buffer.from(key, "base64")).digest("hex").slice(0, 16);
}

/** The user's own key, made the first time that it is needed. Only the user can read its file. */
export class SigningKey {
  readonly #key: KeyObject;

  private constructor(key: KeyObject) {
    this.#key = key;
  }

  static async open(file: string): Promise<SigningKey> {
    const found = await readPrivateFile(file);
    if (found) return new SigningKey(createPrivateKey(found));
    const { privateKey } = generateKeyPairSync("ed25519");
    try {
      await writePrivateFile(file, privateKey.export({ type: "pkcs8", format: "pem" }), { mustBeNew: true });
      return new SigningKey(privateKey);
    } catch (error) {
      // Another process has just made it.
      const made =
        error instanceof ForgeError && error.code === "CONFLICT_ERROR" ? await readPrivateFile(file) : undefined;
      if (made) return new SigningKey(createPrivateKey(made));
      throw error;
    }
  }

  sign(signed: Signed): Signature {
    const key = createPublicKey(this.#key).export({ type: "spki", format: "der" }).toString("base64");
    return { key, signature: sign(null, payloadOf(signed), this.#key).toString("base64") };
  }
}

function payloadOf({ name, version, integrity }: Signed): Buffer {
  return Buffer.from(`forge-registry-package\n${name}\n${version}\n${integrity}\n`);
}

function readKey(key: string): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(key, "base64"), format: "der", type: "spki" });
  } catch {
    return undefined;
  }
}
