import { createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { isRecord } from "../../../kernel/json.ts";
import { invalidReceipt } from "./errors.ts";

/** DSSE 1.0: an envelope around bytes, signed as they are. */

const payloadType = "application/vnd.in-toto+json";

/** Each is compared with every known key, and each time the whole body is read. */
const maxSignatures = 10;

export type Envelope = {
  payloadType: string;
  payload: string;
  signatures: { keyid: string; sig: string }[];
  /** The signer's key. It says nothing about who that is. */
  publicKey: string;
};

/** The bytes that are signed: the type and the body with their lengths in bytes. */
export function encodePae(type: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${body.length} `), body]);
}

/** SHA-256 of the key's DER form. */
export function keyIdOf(key: KeyObject): string {
  const der = (key.type === "private" ? createPublicKey(key) : key).export({ type: "spki", format: "der" });
  return createHash("sha256").update(der).digest("hex");
}

export function signPayload(body: Buffer, key: KeyObject): Envelope {
  const sig = sign(null, encodePae(payloadType, body), key).toString("base64");
  return {
    payloadType,
    payload: body.toString("base64"),
    signatures: [{ keyid: keyIdOf(key), sig }],
    publicKey: toPublicPem(key),
  };
}

export function toPublicPem(key: KeyObject): string {
  return createPublicKey(key).export({ type: "spki", format: "pem" }).toString();
}

/** Whose signature it is, and the very bytes that were signed. A key's id is only a hint: every known key is tried. */
export function openEnvelope(
  text: string,
  known: readonly KeyObject[],
): { body: Buffer; signer: KeyObject; isKnown: boolean } {
  const { body, pae, signatures, publicKey } = parseEnvelope(text);
  for (const key of known)
    if (signatures.some((sig) => verify(null, pae, key, sig))) return { body, signer: key, isKnown: true };
  const own = readPublicKey(publicKey);
  if (!own || !signatures.some((sig) => verify(null, pae, own, sig)))
    throw invalidReceipt("its signature is not valid");
  return { body, signer: own, isKnown: false };
}

/** Only ed25519: what else a key could be has no business here. */
export function readPublicKey(pem: string): KeyObject | undefined {
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === "ed25519" ? key : undefined;
  } catch {
    return undefined;
  }
}

function parseEnvelope(text: string) {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw invalidReceipt("it is not JSON");
  }
  if (!isRecord(parsed) || typeof parsed["payload"] !== "string" || !Array.isArray(parsed["signatures"]))
    throw invalidReceipt("it is not a DSSE envelope");
  if (parsed["payloadType"] !== payloadType) throw invalidReceipt("its content is of an unknown type");
  if (parsed["signatures"].length > maxSignatures) throw invalidReceipt(`it has more than ${maxSignatures} signatures`);
  const body = decodeBase64(parsed["payload"]);
  const signatures = parsed["signatures"].flatMap((one) =>
    isRecord(one) && typeof one["sig"] === "string" ? [decodeBase64(one["sig"])] : [],
  );
  const { publicKey } = parsed;
  return {
    body,
    pae: encodePae(payloadType, body),
    signatures,
    publicKey: typeof publicKey === "string" ? publicKey : "",
  };
}

/** Standard or URL-safe; anything else in it is refused, not skipped. */
function decodeBase64(text: string): Buffer {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) throw invalidReceipt("it is not encoded as base64");
  return Buffer.from(text, "base64");
}
