/** Shapes of credentials that must not leave the process. Each pattern is linear: no nested repetition. */
const shapes: [name: string, pattern: RegExp][] = [
  [
    "private-key",
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[A-Za-z0-9+/=\s\\]{0,20000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
  ],
  ["github-token", /\b(?:gh[opsur]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255})/g],
  ["forge-token", /\bforge_(?:at|rt|pat)_[A-Za-z0-9_-]{16,255}/g],
  ["api-key", /\bsk-[A-Za-z0-9_-]{20,255}/g],
  ["slack-token", /\bxox[abeoprs]-[A-Za-z0-9-]{10,255}/g],
  ["aws-key", /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g],
  ["npm-token", /\bnpm_[A-Za-z0-9]{36}\b/g],
  ["jwt", /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{0,4000}/g],
  ["bearer", /\b(?<=[Bb]earer )[A-Za-z0-9._~+/=-]{12,4000}/g],
  ["password-in-url", /(?<=[a-z]:\/\/[^\s/:@]{0,200}:)[^\s/@]{1,200}(?=@)/g],
];

/** Cheap test that rules out most texts before any pattern runs. */
const suspicious = /-----BEGIN|gh[opsur]_|github_pat_|forge_|sk-|xox|AKIA|ASIA|npm_|eyJ|earer |:\/\//;

/** Takes secrets out of anything on its way out: results, errors, logs and ledger use this and nothing else. */
export class Redactor {
  readonly #known = new Set<string>();

  /** Remembers a value that must never leave, whatever its shape: a token read from a file or the environment. */
  learn(secret: string | undefined): void {
    if (secret && secret.length >= 8) this.#known.add(secret);
  }

  text(text: string): string {
    let clean = text;
    for (const secret of this.#known) if (clean.includes(secret)) clean = clean.replaceAll(secret, "[redacted]");
    if (!suspicious.test(clean)) return clean;
    for (const [name, pattern] of shapes) clean = clean.replace(pattern, `[redacted ${name}]`);
    return clean;
  }

  /** A deep copy without secrets; the same object where there was nothing to take out. */
  value<T>(value: T): T {
    return this.#walk(value) as T;
  }

  #walk(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#walk(item));
      return items.every((item, index) => item === value[index]) ? value : items;
    }
    const entries = Object.entries(value).map(([key, item]) => [this.text(key), this.#walk(item), key, item] as const);
    if (entries.every(([key, item, oldKey, oldItem]) => key === oldKey && item === oldItem)) return value;
    return Object.fromEntries(entries.map(([key, item]) => [key, item]));
  }
}
