import { createHash, randomBytes, randomInt, timingSafeEqual } from "node:crypto";

/** What each kind of secret begins with, so that one found somewhere is known for what it is. */
const prefixes = {
  access: "fga_",
  refresh: "fgr_",
  personal: "fgp_",
  session: "fgs_",
  invitation: "fgi_",
  setup: "fgu_",
  reset: "fgw_",
} as const;

export type SecretKind = keyof typeof prefixes;

const secretBytes = 32;
const secretBody = /^[A-Za-z0-9_-]{43}$/;
const deviceCode = /^[0-9a-f]{32}$/;

/** Without 0 O 1 I L, which are taken for one another when a person copies them. */
const userCodeLetters = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";
const userCode = /^[A-HJKMNP-Z2-9]{8}$/;

export function newSecret(kind: SecretKind): string {
  return prefixes[kind] + randomBytes(secretBytes).toString("base64url");
}

/** What this text would be a secret of by its form; undefined for anything else, however long. */
export function kindOfSecret(text: string): SecretKind | undefined {
  const [kind] = Object.entries(prefixes).find(([, prefix]) => text.startsWith(prefix)) ?? [];
  return kind !== undefined && secretBody.test(text.slice(4)) ? (kind as SecretKind) : undefined;
}

export function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

export function sameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The token that a session's forms carry: made of its cookie, so nothing more is kept, and tells nothing about it. */
export function csrfOf(cookie: string): string {
  return createHash("sha256").update("csrf:").update(cookie).digest("base64url");
}

export function newDeviceCode(): string {
  return randomBytes(16).toString("hex");
}

export function isDeviceCode(text: string): boolean {
  return deviceCode.test(text);
}

export function newUserCode(): string {
  const letters = Array.from({ length: 8 }, () => userCodeLetters.charAt(randomInt(userCodeLetters.length)));
  return `${letters.slice(0, 4).join("")}-${letters.slice(4).join("")}`;
}

/** The one spelling of a code as a person typed it, or undefined where it cannot be one. */
export function canonicalUserCode(typed: string): string | undefined {
  const letters = typed.slice(0, 40).toUpperCase().replace(/[\s-]/g, "");
  return userCode.test(letters) ? `${letters.slice(0, 4)}-${letters.slice(4)}` : undefined;
}
