import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Tokens that exist only where the harness put them (G13). Each place has its own; all tokens of a run begin with the same
 * letters, so that one search finds any of them.
 */

export const seedVariable = "FORGE_TEST_CANARY";

export type Place = "environment" | "settings" | "credentials" | "remote" | "ticket";

/** The prefix of the run, or of this process if a test file runs alone. */
const { [seedVariable]: given } = process.env;
export const canaryPrefix = given ?? newPrefix();

/** Letters and digits only: they look the same in JSON, in an address and in SQL. */
export function newPrefix(): string {
  return `Cnry${randomBytes(6).toString("hex")}`;
}

export function canaryFor(place: Place, prefix = canaryPrefix): string {
  const rest = createHash("sha256").update(`${prefix}${place}`).digest("hex").slice(0, 24);
  // What a person pastes into a ticket is known by its shape alone.
  return place === "ticket" ? `ghp_${prefix}${rest}` : `${prefix}${place}${rest}`;
}

/** Where each token may be: where it was planted. Compares the ends of paths. */
const homes: Record<Place, RegExp | undefined> = {
  environment: undefined,
  settings: /\/\.forge\/settings\.json$/,
  credentials: /\/\.fractary\/auth\/credentials\.json$/,
  remote: /\/\.git\/config$/,
  ticket: /\/TICKET\.md$/,
};

const places: Place[] = ["environment", "settings", "credentials", "remote", "ticket"];

/** The canary that begins here; also if it is cut off. */
export function readPlace(text: string, prefix = canaryPrefix): Place | undefined {
  return places.find((place) => text.includes(canaryFor(place, prefix)));
}

export function mayLieIn(path: string, place: Place | undefined): boolean {
  return place !== undefined && homes[place]?.test(path) === true;
}

/** Environment variables as on users' machines. No child process, output or file may contain them. */
export function plantedEnvironment(): Record<string, string> {
  const canary = canaryFor("environment");
  return { GITHUB_TOKEN: canary, AWS_SECRET_ACCESS_KEY: canary, FORGE_CANARY_TOKEN: canary, TMPDIR: tmpdir() };
}

/** The token of a registry, where Forge stores them. */
export function plantSecret(home: string): void {
  const folder = join(home, ".fractary", "auth");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const entry = { type: "token", origin: "https://canary.example.org", token: canaryFor("credentials") };
  writeFileSync(join(folder, "credentials.json"), JSON.stringify({ registries: { canary: entry } }), { mode: 0o600 });
}

export function requireNoCanary(text: string, where: string): void {
  const at = text.indexOf(canaryPrefix);
  if (at < 0) return;
  const place = readPlace(text.slice(at - 4, at + 200)) ?? "unknown";
  throw new Error(`a planted secret (${place}) got out: it is in ${where}`);
}
