import { Redactor } from "../../../kernel/text/redactor.ts";
import { environment } from "../../../platform/host/environment.ts";

/** What a project's command gets of the caller's environment, and the names of what it does not get. */
export type TestEnvironment = { env: Record<string, string>; withheld: string[] };

type Variables = Readonly<Record<string, string | undefined>>;

/** Changes how programs start, or what they load before they do anything else. */
const loaders =
  /^(?:NODE_OPTIONS|NODE_REPL_EXTERNAL_MODULE|LD_.+|DYLD_.+|BASH_ENV|ENV|BASH_FUNC_.+|PROMPT_COMMAND|PYTHONSTARTUP|PYTHONINSPECT|PERL5OPT|PERL5DB|RUBYOPT|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|GIT_.+)$/;

/** Leads to the user's keys without being one. */
const agents = /^(?:SSH_AUTH_SOCK|SSH_AGENT_PID|SSH_ASKPASS|GPG_AGENT_INFO|SUDO_ASKPASS)$/;

const secretNames = [
  /(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|APIKEY|ACCESSKEY|PRIVATEKEY)S?(?:_|$)/,
  /(?:^|_)(?:KEYS?|PAT|AUTH|PASS|COOKIE)(?:_|$)/,
];

/** `MAX_TOKENS=4096` has the name of a secret and is none. */
const plainValue = /^(?:\d{0,6}|true|false|yes|no|on|off)$/i;

/** Credentials for a program on this machine, such as a test database, are not worth hiding from the tests that use it. */
const loopbackUserInfo =
  /(:\/\/)[^\s/@"'<>,]*@(?=(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?:[:/?#,\s]|$))/gi;

const redactor = new Redactor();

/**
 * The caller's environment, with nothing added. Left out: Forge's own settings, secrets by name and by shape, the user's key
 * agents, and what changes how programs start. `passed`: names that the project lets through all the same.
 */
export function createTestEnvironment(from: Variables = environment, passed: readonly string[] = []): TestEnvironment {
  const given: TestEnvironment = { env: {}, withheld: [] };
  const allowed = new Set(passed);
  for (const [name, value] of Object.entries(from)) {
    if (value === undefined) continue;
    if (isWithheld(name.toUpperCase(), value, allowed.has(name))) given.withheld.push(name);
    else given.env[name] = value;
  }
  given.withheld.sort();
  return given;
}

/** Forge's own settings are nobody else's, whatever a project says. */
function isWithheld(name: string, value: string, isAllowed: boolean): boolean {
  if (name.startsWith("FORGE_") || name.startsWith("FORGEGUARD_")) return true;
  if (isAllowed) return false;
  return loaders.test(name) || agents.test(name) || hasSecretName(name, value) || hasSecretShape(value);
}

function hasSecretName(name: string, value: string): boolean {
  return secretNames.some((pattern) => pattern.test(name)) && !plainValue.test(value);
}

function hasSecretShape(value: string): boolean {
  const told = value.replace(loopbackUserInfo, "$1");
  return redactor.text(told) !== told;
}
