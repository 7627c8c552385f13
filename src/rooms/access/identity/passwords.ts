import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";

export type PasswordCost = { N: number; r: number; p: number };

/** What OWASP's password storage cheat sheet asks of scrypt where 32 MiB a guess are to be spent. */
export const defaultCost: PasswordCost = { N: 2 ** 15, r: 8, p: 3 };

const saltBytes = 16;
const hashBytes = 32;

/** Passwords as `scrypt$N$r$p$salt$hash`: a later change of the cost leaves older ones readable. */
export class Passwords {
  readonly #cost: PasswordCost;

  constructor(cost: PasswordCost = defaultCost) {
    this.#cost = cost;
  }

  async hash(password: string): Promise<string> {
    const { N, r, p } = this.#cost;
    const salt = randomBytes(saltBytes);
    const hash = await derive(password, salt, this.#cost);
    return ["scrypt", N, r, p, salt.toString("base64url"), hash.toString("base64url")].join("$");
  }

  /** Where nothing is stored the same work is done for nothing, so that the time does not tell who has an account. */
  async matches(password: string, stored: string | null | undefined): Promise<boolean> {
    const known = stored ? parse(stored) : undefined;
    const salt = known?.salt ?? randomBytes(saltBytes);
    const hash = await derive(password, salt, known?.cost ?? this.#cost);
    return timingSafeEqual(hash, known?.hash ?? randomBytes(hashBytes)) && known !== undefined;
  }

  /** Whether it was stored at another cost than is paid now. */
  isOutdated(stored: string): boolean {
    const cost = parse(stored)?.cost;
    return cost?.N !== this.#cost.N || cost.r !== this.#cost.r || cost.p !== this.#cost.p;
  }
}

function parse(stored: string): { cost: PasswordCost; salt: Buffer; hash: Buffer } | undefined {
  const [scheme, N, r, p, salt = "", hash = ""] = stored.split("$");
  const bytes = Buffer.from(hash, "base64url");
  if (scheme !== "scrypt" || bytes.length !== hashBytes) return undefined;
  return { cost: { N: Number(N), r: Number(r), p: Number(p) }, salt: Buffer.from(salt, "base64url"), hash: bytes };
}

/** One spelling of what looks the same: keyboards differ in how they compose accents. */
function derive(password: string, salt: Buffer, { N, r, p }: PasswordCost): Promise<Buffer> {
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, hashBytes, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
