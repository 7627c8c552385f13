import { blankEscapes, hasDigit, hint, shapesIn } from "./secret-shapes.ts";

/** Removes secrets from anything that leaves the process: results, errors, logs and the ledger use this. */
export class Redactor {
  /** Longest first: one secret may begin with another. */
  #known: string[] = [];
  readonly #clean = new CleanTexts();
  /** Names of fields are the same in all answers. */
  readonly #cleanKeys = new Set<string>();

  /** Remembers a value that must never leave, whatever it looks like: a token from a file or the environment. */
  learn(secret: string | undefined): void {
    if (!secret || secret.length < 8) return;
    const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), inMarkup(secret)];
    this.#cleanKeys.clear();
    this.#known = [...new Set([...this.#known, ...forms])].sort((a, b) => b.length - a.length);
  }

  /** The same for an address and the password in it, encoded and decoded. */
  learnAddress(address: string | undefined): void {
    this.learn(address);
    for (const password of passwordsIn(address)) this.learn(password);
  }

  text(text: string): string {
    return this.#removeAll(text, markShortly);
  }

  /** The same with as many lines as before, for a text of which a part is shown: the lines of a private key do not look like one. */
  lines(text: string): string {
    return this.#removeAll(text, markLines);
  }

  /** What of a text looks like a secret, and of which kind. */
  find(text: string): FoundSecret[] {
    const found: FoundSecret[] = [];
    for (const secret of this.#known) if (text.includes(secret)) found.push({ kind: "known", secret });
    if (!hint.test(text)) return found;
    removePrivateKeys(text, markShortly, (secret) => void found.push({ kind: "private-key", secret }));
    removePasswords(text, (secret, kind, address) => {
      if (!isPublicAddress(address)) return;
      found.push({ kind, secret });
    });
    const plain = blankEscapes(text);
    for (const [kind, pattern, isSecret] of shapesIn(plain))
      for (const [secret] of plain.matchAll(pattern))
        if (isSecret?.(secret) !== false && !isPlaceholder(secret)) found.push({ kind, secret });
    return found;
  }

  /** A deep copy without secrets; the same object if there were none. */
  value<T>(value: T): T {
    return this.#walk(value) as T;
  }

  #removeAll(text: string, mark: Mark): string {
    let clean = text;
    for (const secret of this.#known)
      if (clean.includes(secret)) clean = clean.replaceAll(secret, () => mark("[redacted]", secret));
    return hint.test(clean) ? this.#removeShapes(clean, mark) : clean;
  }

  #removeShapes(text: string, mark: Mark): string {
    if (this.#clean.has(text)) return text;
    let clean = removePasswords(removePrivateKeys(text, mark));
    let plain = blankEscapes(clean);
    for (const [name, pattern, isSecret] of shapesIn(plain)) {
      const found = [...plain.matchAll(pattern)].filter(([match]) => isSecret?.(match) !== false);
      if (found.length === 0) continue;
      clean = replaceFound(clean, found, (secret) => mark(`[redacted ${name}]`, secret));
      plain = blankEscapes(clean);
    }
    if (clean === text) this.#clean.add(text);
    return clean;
  }

  #walk(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) return this.#walkItems(value);
    return this.#walkFields(value as Record<string, unknown>);
  }

  #key(key: string): string {
    const name = this.text(key);
    if (name === key && key.length <= maxKeptKey && this.#cleanKeys.size < maxKeptKeys) this.#cleanKeys.add(key);
    return name;
  }

  #walkFields(given: Record<string, unknown>): Record<string, unknown> {
    const keys = Object.keys(given);
    let clean: Record<string, unknown> | undefined;
    // Plain loops: every value of every answer comes through here.
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as string;
      const name = this.#cleanKeys.has(key) ? key : this.#key(key);
      const item = this.#walk(given[key]);
      if (name === key && item === given[key] && !clean) continue;
      clean ??= Object.fromEntries(keys.slice(0, index).map((earlier) => [earlier, given[earlier]]));
      clean[Object.hasOwn(clean, name) ? `${name} ${Object.keys(clean).length}` : name] = item;
    }
    return clean ?? given;
  }

  #walkItems(given: readonly unknown[]): readonly unknown[] {
    let clean: unknown[] | undefined;
    for (let index = 0; index < given.length; index++) {
      const item = given[index];
      const shown = this.#walk(item);
      if (shown === item && !clean) continue;
      clean ??= given.slice();
      clean[index] = shown;
    }
    return clean ?? given;
  }
}

/** As prompts have it. */
function inMarkup(text: string): string {
  const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (character) => names[character] ?? character);
}

function replaceFound(text: string, found: readonly RegExpExecArray[], replace: (secret: string) => string): string {
  let clean = "";
  let from = 0;
  for (const { 0: match, index } of found) {
    const end = index + match.length;
    clean += text.slice(from, index) + replace(text.slice(index, end));
    from = end;
  }
  return clean + text.slice(from);
}

/** What is put in place of a secret. */
type Mark = (note: string, secret: string) => string;

const markShortly: Mark = (note) => note;
const markLines: Mark = (note, secret) => note + secret.replaceAll(/[^\n]+/g, "");

const maxKeptKeys = 1_000;
const maxKeptKey = 64;
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
  const at = address.lastIndexOf("@");
  const [user, host = ""] = [address.slice(0, at), address.slice(at + 1).split(/[/:?#]/, 1)[0]];
  const isLocal =
    !host.includes(".") || /^(?:127\.|0\.0\.0\.0$|\[)/.test(host) || /(?:^|\.)(?:local|localhost)$/i.test(host);
  const isExample = /(?:^|\.)(?:example(?:\.(?:com|org|net))?|test|invalid)$/i.test(host);
  // A password can have a `$` or `*` in it: only where that stands for one is it none.
  return !isLocal && !isExample && !/^[^:]*:\$[\w:.]+$|\$\(|[<>{}]|\*{3}|x{3}|\.{3}/i.test(user);
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
  let at = text.indexOf("@");
  for (let mark = text.indexOf("://"); mark !== -1; mark = text.indexOf("://", from)) {
    const start = mark + 3;
    if (at !== -1 && at < start) at = text.indexOf("@", start);
    if (at === -1) break;
    if (at > start + maxUserInfo) {
      clean += text.slice(from, start);
      from = start;
      continue;
    }
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

const keyTitle = /^-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const keyEnd = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

/** Removes private keys from their first line to their last, whatever is between: headers, quotes, the signs of a diff. */
function removePrivateKeys(text: string, mark: Mark, onFound: (secret: string) => void = () => undefined): string {
  let clean = "";
  let from = 0;
  for (let begin = text.indexOf("-----BEGIN "); begin !== -1; begin = text.indexOf("-----BEGIN ", from)) {
    if (!keyTitle.test(text.slice(begin, begin + 64))) {
      clean += text.slice(from, begin + 11);
      from = begin + 11;
      continue;
    }
    const end = text.indexOf("-----END ", begin);
    const last = end === -1 ? -1 : text.indexOf("-----", end + 9);
    const before = text.slice(from, begin);
    from = last === -1 ? text.length : last + 5;
    const secret = text.slice(begin, from);
    clean += before + mark("[redacted private-key]", secret);
    onFound(secret);
  }
  return removeKeyEnds(clean + text.slice(from), mark);
}

/** Removes the last lines of keys whose first ones were cut off. */
function removeKeyEnds(text: string, mark: Mark): string {
  let clean = "";
  let from = 0;
  for (const { 0: end, index } of text.matchAll(keyEnd)) {
    const begin = beginOfKey(text, from, index);
    clean += text.slice(from, begin);
    from = index + end.length;
    clean += mark("[redacted private-key]", text.slice(begin, from));
  }
  return clean + text.slice(from);
}

const maxKeyLine = 256;
/** Quotes and the signs of a diff may be around it. */
const keyLine = /^[^A-Za-z0-9]{0,4}[A-Za-z0-9+/=\\]{0,256}[^A-Za-z0-9]{0,4}$/;

/** Where the lines begin that can be of a key and end at `end`. */
function beginOfKey(text: string, from: number, end: number): number {
  let begin = end;
  while (begin > from) {
    const near = text.slice(Math.max(from, begin - maxKeyLine), begin);
    const start = near.lastIndexOf("\n", near.length - 2) + 1;
    const isWhole = start > 0 || begin - near.length === from;
    if (!isWhole || !keyLine.test(near.slice(start).trim())) break;
    begin -= near.length - start;
  }
  return begin;
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
