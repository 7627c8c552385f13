import type { Origin } from "../../../commons/people.ts";
import { foldLookAlikes } from "../../../kernel/text/look-alike.ts";
import { visible } from "../../../kernel/text/visible.ts";
import { slashInName, wrongEmail, wrongName, wrongPassword } from "./errors.ts";
import type { NewPerson } from "./model.ts";

const maxEmailLength = 254;
const localPart = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/;
const domainLabel = /^[a-z0-9-]{1,63}$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const passwordLength = { min: 8, max: 200 };
const maxNameLength = 100;
const maxOriginLength = 200;

/** Whether it can be an id here; anything else is answered as not found. */
export function isId(text: string): boolean {
  return uuid.test(text);
}

/** The one spelling of an address, whether or not it is well formed. */
export function normalEmail(text: string): string {
  return text.trim().toLowerCase();
}

export function isEmail(email: string): boolean {
  if (email.length > maxEmailLength) return false;
  const [local = "", domain = "", ...more] = email.split("@");
  const labels = domain.split(".");
  return (
    more.length === 0 &&
    localPart.test(local) &&
    !`.${local}.`.includes("..") &&
    labels.length >= 2 &&
    labels.every((label) => domainLabel.test(label) && !label.startsWith("-") && !label.endsWith("-"))
  );
}

export function requireEmail(text: string): string {
  const email = normalEmail(text);
  if (isEmail(email)) return email;
  throw wrongEmail();
}

export function isPassword(password: string): boolean {
  const length = [...password.slice(0, 2 * passwordLength.max + 1)].length;
  return length >= passwordLength.min && length <= passwordLength.max;
}

export function requirePassword(password: string): string {
  if (isPassword(password)) return password;
  throw wrongPassword(passwordLength.min, passwordLength.max);
}

/** A name on one line, with nothing hidden in it. */
export function requireName(what: string, text: string): string {
  const name = text.trim().normalize("NFC");
  if (name !== "" && name.length <= maxNameLength && visible(name) === name && !hasBlanks(name)) return name;
  throw wrongName(what, maxNameLength);
}

/** Of a person: claims read `ada/claude-code`, so that the slash would seem to begin another name. */
function requirePersonName(text: string): string {
  const name = requireName("name", text);
  if (name.includes("/")) throw slashInName();
  return name;
}

/** Characters that take no room or look like a space; within a picture of several they belong there. */
function hasBlanks(name: string): boolean {
  return blanks().test(name.replace(/\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?\ufe0f?\u200d?/gu, ""));
}

/** Made when needed: what names classes of Unicode costs a start several milliseconds. */
const blanks = () => /[\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** What two names have in common that a reader takes for the same. */
export function nameKey(name: string): string {
  const folded = name.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC");
  return foldLookAlikes(folded).replace(blanks(), "").replace(/\s+/g, " ").trim();
}

/** A name that a provider gives, with nothing hidden in it. */
export function nameFrom(text: string): string {
  return shortenText(text.replace(blanks(), "").replaceAll("/", "-"), maxNameLength).normalize("NFC");
}

export function requirePerson({ email, displayName, password }: NewPerson): NewPerson {
  return {
    email: requireEmail(email),
    displayName: requirePersonName(displayName),
    password: requirePassword(password),
  };
}

/** What strangers say of themselves, short and on one line. */
export function shortenText(text: string, maxLength = maxOriginLength): string {
  return visible(text.trim().slice(0, maxLength));
}

export function originDetails({ address, agent }: Origin): Record<string, string> {
  return { address: shortenText(address), ...(agent !== undefined && { agent: shortenText(agent) }) };
}
