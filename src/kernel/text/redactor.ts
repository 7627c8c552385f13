type Shape = [name: string, pattern: RegExp, isSecret?: (match: string) => boolean];

/** A word can look like a key (`sk-translations-of-the-manual`); a real one has digits and capitals. */
const isRandom = (match: string) => /[0-9]/.test(match) && /[A-Z]/.test(match);
const hasDigit = (match: string) => /[0-9]/.test(match);

/** Shapes of credentials that must not leave the process. Each pattern is linear: no nested repetition. */
const shapes: Shape[] = [
  ["github-token", /(?<![A-Za-z0-9])(?:gh[opsur]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255})/g],
  ["gitlab-token", /(?<![A-Za-z0-9])glpat-[A-Za-z0-9_-]{20,255}/g],
  ["forge-token", /(?<![A-Za-z0-9])(?:forge_(?:at|rt|pat)|fg[aiprsuw])_[A-Za-z0-9_-]{16,255}/g],
  ["api-key", /(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{20,255}/g, isRandom],
  ["google-key", /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}/g],
  ["google-token", /(?<![A-Za-z0-9])(?:ya29\.[A-Za-z0-9_-]{20,2000}|GOCSPX-[A-Za-z0-9_-]{20,255})/g],
  ["google-token", /(?<![A-Za-z0-9])1\/\/0[A-Za-z0-9_-]{30,255}/g],
  ["stripe-key", /(?<![A-Za-z0-9])(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9]{16,255}/g],
  ["huggingface-token", /(?<![A-Za-z0-9])(?:hf_|api_org_)[A-Za-z]{30,40}(?![A-Za-z0-9])/g],
  ["sendgrid-key", /(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,128}/g],
  ["slack-webhook", /(?<=hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9/_-]{20,255}/gi],
  ["discord-webhook", /(?<=discord(?:app)?\.com\/api\/webhooks\/[0-9]{10,25}\/)[A-Za-z0-9_-]{30,255}/gi],
  ["azure-key", /(?<=(?:AccountKey|SharedAccessKey|AccessKey)=)[A-Za-z0-9+/]{40,120}={0,2}/gi, hasDigit],
  ["azure-signature", /(?<=[?&]sig=)[A-Za-z0-9%+/]{40,120}={0,2}/gi, hasDigit],
  ["azure-secret", /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])/g],
  ["digitalocean-token", /(?<![A-Za-z0-9])do[opr]_v1_[a-f0-9]{64}/g],
  ["pypi-token", /(?<![A-Za-z0-9])pypi-[A-Za-z0-9_-]{50,500}/g],
  ["twilio-key", /(?<![A-Za-z0-9])SK[a-f0-9]{32}(?![A-Za-z0-9])/g],
  ["slack-token", /(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9-]{10,255}/g, hasDigit],
  ["aws-key", /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g],
  ["npm-token", /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g],
  ["jwt", /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{0,4000}/g],
  ["bearer", /(?<=bearer[ \t]{1,8})[A-Za-z0-9._~+/=-]{12,4000}/gi, hasDigit],
  ["basic", /(?<=authorization["' ]{0,3}[:=]["' ]{0,3}basic[ \t]{1,8})[A-Za-z0-9+/=]{8,4000}/gi],
];

/**
 * A cheap test that rules out most texts before any pattern runs: what one of these shapes contains in any case. Each alternative
 * starts with a character that is rare in texts, and looks back from there: that takes a third of the time of several tests.
 */
const hint =
  /_(?<=(?:gh[opsur]|_pat|forge|fg[aiprsuw]|npm|_live|_test|whsec|hf|_org|_v1)_)|-(?<=glpat-|sk-|xox[a-z]-|GOCSPX-|pypi-)|-----BEGIN |A(?:Iza|KIA|SIA)|S(?:G\.|K[a-f0-9]{8})|Q~|eyJ|ya29\.|:\/\/|1\/\/0|\.[cC][oO][mM]\/|=(?<=[kK][eE][yY]=|[sS][iI][gG]=)|[bB](?:[eE][aA][rR][eE][rR]|[aA][sS][iI][cC])[ \t]/;

/** Removes secrets from anything that leaves the process: results, errors, logs and the ledger use this. */
export class Redactor {
  /** Longest first: one secret may begin with another. */
  #known: string[] = [];
  readonly #clean = new CleanTexts();

  /** Remembers a value that must never leave, whatever it looks like: a token from a file or the environment. */
  learn(secret: string | undefined): void {
    if (!secret || secret.length < 8) return;
    const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
    this.#known = [...new Set([...this.#known, ...forms])].sort((a, b) => b.length - a.length);
  }

  /** The same for an address and the password in it, encoded and decoded. */
  learnAddress(address: string | undefined): void {
    this.learn(address);
    for (const password of passwordsIn(address)) this.learn(password);
  }

  text(text: string): string {
    let clean = text;
    for (const secret of this.#known) if (clean.includes(secret)) clean = clean.replaceAll(secret, "[redacted]");
    return hint.test(clean) ? this.#removeShapes(clean) : clean;
  }

  /** What of a text looks like a secret, and of which kind. */
  find(text: string): FoundSecret[] {
    const found: FoundSecret[] = [];
    for (const secret of this.#known) if (text.includes(secret)) found.push({ kind: "known", secret });
    if (!hint.test(text)) return found;
    removePrivateKeys(text, (secret) => void found.push({ kind: "private-key", secret }));
    removePasswords(text, (secret, kind, address) => {
      if (!isPublicAddress(address)) return;
      found.push({ kind, secret });
    });
    for (const [kind, pattern, isSecret] of shapes)
      for (const [secret] of text.matchAll(pattern))
        if (isSecret?.(secret) !== false && !isPlaceholder(secret)) found.push({ kind, secret });
    return found;
  }

  /** A deep copy without secrets; the same object if there were none. */
  value<T>(value: T): T {
    return this.#walk(value) as T;
  }

  #removeShapes(text: string): string {
    if (this.#clean.has(text)) return text;
    let clean = removePasswords(removePrivateKeys(text));
    for (const [name, pattern, isSecret] of shapes) {
      clean = clean.replace(pattern, (match) => (isSecret?.(match) === false ? match : `[redacted ${name}]`));
    }
    if (clean === text) this.#clean.add(text);
    return clean;
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
    const clean: Record<string, unknown> = {};
    for (const [key, item] of entries)
      clean[Object.hasOwn(clean, key) ? `${key} ${Object.keys(clean).length}` : key] = item;
    return clean;
  }
}

const maxKeptText = 65_536;
const maxKeptCharacters = 524_288;

/**
 * Texts that look suspicious and contain no secret, such as rules with addresses in them: they are in many answers, and need not
 * be searched again. So many characters at most.
 */
class CleanTexts {
  readonly #texts = new Set<string>();
  #characters = 0;

  has(text: string): boolean {
    return text.length <= maxKeptText && this.#texts.has(text);
  }

  add(text: string): void {
    if (text.length > maxKeptText) return;
    if (this.#characters + text.length > maxKeptCharacters) {
      this.#texts.clear();
      this.#characters = 0;
    }
    this.#texts.add(text);
    this.#characters += text.length;
  }
}

export type FoundSecret = { kind: string; secret: string };

/** A password for this machine, a container beside it or an example protects nothing. */
function isPublicAddress(address: string): boolean {
  const host = address.slice(address.lastIndexOf("@") + 1).split(/[/:?#]/, 1)[0] ?? "";
  const password = address.slice(0, address.lastIndexOf("@"));
  const isLocal =
    !host.includes(".") || /^(?:127\.|0\.0\.0\.0$|\[)/.test(host) || /(?:^|\.)(?:local|localhost)$/i.test(host);
  const isExample = /(?:^|\.)(?:example(?:\.(?:com|org|net))?|test|invalid)$/i.test(host);
  return !isLocal && !isExample && !/[$<>{}*]|x{3}|\.\.\./i.test(password);
}

/** `sk_test_xxxxxxxx…`: written to show the form of a key. */
function isPlaceholder(secret: string): boolean {
  return /(.)\1{7}|x{4}|example|placeholder|your[-_]/i.test(secret);
}

/** Where an address ends in running text; a password longer than this is not looked for. */
const addressEnd = /[\s"'<>,]/;
const maxUserInfo = 400;

/** Removes what comes before the last `@` of an address: a password after a colon, or a token in place of a user name. */
function removePasswords(
  text: string,
  onFound: (secret: string, kind: string, address: string) => void = () => undefined,
): string {
  let clean = "";
  let from = 0;
  for (let mark = text.indexOf("://"); mark !== -1; mark = text.indexOf("://", from)) {
    const start = mark + 3;
    const [address = ""] = text.slice(start, start + maxUserInfo).split(addressEnd, 1);
    const [secret, name] = secretIn(address.slice(0, Math.max(address.lastIndexOf("@"), 0)));
    const place = start + address.lastIndexOf("@") - secret.length;
    if (secret !== "") onFound(secret, name, address);
    clean += secret === "" ? text.slice(from, start) : `${text.slice(from, place)}[redacted ${name}]`;
    from = secret === "" ? start : place + secret.length;
  }
  return clean + text.slice(from);
}

function secretIn(userInfo: string): [secret: string, name: string] {
  const colon = userInfo.indexOf(":");
  if (colon === -1)
    return /^[A-Za-z0-9_-]{20,255}$/.test(userInfo) && hasDigit(userInfo) ? [userInfo, "token-in-url"] : ["", ""];
  const password = userInfo.slice(colon + 1);
  // It may be a port and a path instead: `http://host:8080/mail?to=ann@example.org`.
  const isPassword = !userInfo.slice(0, colon).includes("/") && !/^[0-9]{1,5}(?:\/|$)/.test(password);
  return isPassword ? [password, "password-in-url"] : ["", ""];
}

/** Removes private keys from their first line to their last, whatever is between: headers, quotes, the signs of a diff. */
function removePrivateKeys(text: string, onFound: (secret: string) => void = () => undefined): string {
  let clean = "";
  let from = 0;
  for (let begin = text.indexOf("-----BEGIN "); begin !== -1; begin = text.indexOf("-----BEGIN ", from)) {
    const title = text.slice(begin, begin + 64);
    if (!/^-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/.test(title)) {
      clean += text.slice(from, begin + 11);
      from = begin + 11;
      continue;
    }
    const end = text.indexOf("-----END ", begin);
    const last = end === -1 ? -1 : text.indexOf("-----", end + 9);
    clean += `${text.slice(from, begin)}[redacted private-key]`;
    from = last === -1 ? text.length : last + 5;
    onFound(text.slice(begin, from));
  }
  return clean + text.slice(from);
}

function passwordsIn(address: string | undefined): string[] {
  if (address === undefined || !URL.canParse(address)) return [];
  const { protocol, username, password, hostname, pathname, searchParams } = new URL(address);
  const meant = [decodeOrKeep(password), searchParams.get("password") ?? ""];
  // A password that is also another part is not a secret, and removing it would make every text unreadable.
  const known = [protocol.slice(0, -1), decodeOrKeep(username), hostname, decodeOrKeep(pathname.slice(1))];
  const secret = meant.filter((text) => !known.includes(text));
  return [...secret, ...secret.map(encodeURIComponent), ...(known.includes(password) ? [] : [password])];
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
