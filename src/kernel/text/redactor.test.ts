import fc from "fast-check";
import { expect, test } from "vitest";
import { Redactor } from "./redactor.ts";

const random = "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";

test.each([
  ["github", `ghp_${random}`],
  ["github, fine-grained", `github_pat_${random}`],
  ["forge", `forge_pat_${random}`],
  ["api key", `sk-ant-${random}`],
  ["slack", `xoxb-${random}`],
  ["aws", "AKIAIOSFODNN7EXAMPLE"],
  ["npm", `npm_${random}`],
  ["jwt", `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${random}`],
  ["private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----"],
])("a %s credential is taken out and the text around it stays", (_name, secret) => {
  const clean = new Redactor().text(`before ${secret} after`);
  expect(clean).not.toContain(secret.slice(8));
  expect(clean).toMatch(/^before \[redacted [\w-]+\] after$/);
});

test.each([
  [
    "an encrypted key",
    "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIEsecret\n-----END RSA PRIVATE KEY-----",
    "MIIE",
  ],
  ["a PGP key", "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOYsecret\n-----END PGP PRIVATE KEY BLOCK-----", "lQOY"],
  ["a key in a diff", "------BEGIN PRIVATE KEY-----\n-MIIEsecret\n------END PRIVATE KEY-----", "MIIE"],
  ["a key that is cut off", "-----BEGIN PRIVATE KEY-----\nMIIEsecret", "MIIE"],
  ["a password with a slash and an @", "postgres://ann:pa/ss@w0rd@db/forge", "w0rd"],
  ["capitals", "HTTPS://ann:s3cret@host BEARER abcdefghijklmnop1234", "s3cret"],
  ["a token for a user name", "https://0123456789abcdef01234567@github.com/x.git", "0123456789"],
  ["basic", "Authorization: Basic YWxpY2U6aHVudGVyMg==", "YWxp"],
  ["gitlab and google", "glpat-ABCDEFGHIJKLMNOPQRST AIzaSyA1234567890abcdefghijklmnopqrstuvw", "SyA123"],
  ["behind an underscore", "x_ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8", "ghp_A1"],
  ["after a line break in JSON", JSON.stringify({ text: `is:\nghp_${random}` }), "ghp_A1"],
  ["after one in JSON that is in JSON", JSON.stringify(JSON.stringify(`is:\nghp_${random}`)), "ghp_A1"],
  ["after a tab, as source code has it", `key = "is:\\tsk-ant-${random}"`, "sk-ant"],
  ["after a control character in JSON", JSON.stringify(`\u0007npm_${random}`), "npm_A1"],
  ["after an escape of ours", `\\x1bghp_${random} \\u{202e}ghp_${random}`, "ghp_A1"],
  ["after a colour", `\u001b[31mghp_${random}`, "ghp_A1"],
  ["after a colour in JSON", JSON.stringify(`\u001b[1;31mghp_${random}`), "ghp_A1"],
  ["in an address, encoded", `https://host/?next=a%3Dghp_${random}`, "ghp_A1"],
  ["a named key in JSON that is in JSON", JSON.stringify(`{"SecretAccessKey": "${random}abcd"}`), random],
  ["a named key in markup", `&quot;SecretAccessKey&quot;: &quot;${random}abcd&quot;`, random],
])("%s is taken out", (_name, text, secret) => {
  expect(new Redactor().text(text)).not.toContain(secret);
});

const hex = "0a1b2c3d4e5f60718293a4b5c6d7e8f9";
const long = random.repeat(6);

// Each is put together here, so that no scanner takes this file for a leak.
test.each([
  ["gitlab deploy token", `gldt-${random}`],
  ["gitlab runner token", `glrt-t1_${random}`],
  ["gitlab routable token", `glpat-${random}.01.0z1abcdef`],
  ["npm's older form", `_authToken=${hex}`],
  ["pypi", `pypi-AgEIcHlwaS5vcmc${long}`],
  ["aws session token", `IQoJb3JpZ2lu${long}`],
  ["aws secret", `AWS_SECRET_ACCESS_KEY=${random}wxyz`],
  ["aws secret in JSON", `"SecretAccessKey": "${random}wxyz"`],
  ["slack app token", `xapp-1-A0123456789-1234567890123-${hex}${hex}`],
  ["slack browser token", `xoxc-123456789012-123456789012-123456789012-${hex}${hex}`],
  ["slack webhook", `hooks.slack.com/services/T01234567/B01234567/${random}`],
  ["stripe organization key", `sk_org_live_${random}`],
  ["hugging face with digits", `hf_${random.slice(0, 34)}`],
  ["google code", `4/0A${random}`],
  ["azure signature", `SharedAccessSignature sr=x&sig=${random}wxyz%3D`],
  ["azure service key", `${random}${random.slice(0, 16)}JQQJ99${random.slice(0, 20)}`],
  ["openrouter", `sk-or-v1-${hex}${hex}`],
  ["openai project key", `sk-proj-${long}`],
  ["a key without capitals", `sk-${hex}`],
  ["groq", `gsk_${random}${random.slice(0, 16)}`],
  ["doppler", `dp.st.dev.${random}wxyz`],
  ["digitalocean", `dop_v1_${hex}${hex}`],
  ["telegram", `1234567890:AA${random.slice(0, 33)}`],
  ["discord bot", `${btoa("123456789012345678")}.GaBcDe.${random}`],
  ["discord webhook", `https://discord.com/api/v10/webhooks/123456789012345678/${long.slice(0, 68)}`],
  ["twilio", `TWILIO_AUTH_TOKEN=${hex}`],
  ["mailgun", `key-${hex}`],
  ["mailgun's newer form", `${hex}-0a1b2c3d-4e5f6071`],
  ["datadog", `DD_API_KEY=${hex}`],
  ["vault", `hvs.${long}`],
  ["terraform", `${random.slice(0, 14)}.atlasv1.${long.slice(0, 67)}`],
  ["docker hub", `dckr_pat_${random.slice(0, 27)}`],
  ["shopify", `shpat_${hex}`],
  ["age", `AGE-SECRET-KEY-1${random.toUpperCase()}${random.toUpperCase()}`],
  ["github header", `Authorization: token ${hex}`],
  ["a key in base64", btoa(`-----BEGIN RSA PRIVATE KEY-----\n${long}`)],
  ["a key of PuTTY", `PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 1\n${random}\nPrivate-MAC: ${hex}`],
  ["a key of SSH2", `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n${random}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----`],
])("%s is found by its form", (_name, secret) => {
  const redactor = new Redactor();
  expect(redactor.text(`before ${secret} after`)).toMatch(/^before .*\[redacted [\w-]+\].* after$/s);
  expect(redactor.find(`before ${secret} after`)).not.toEqual([]);
});

test.each([
  "ops_engineering_handbook_2024_final_version.md",
  "const auth = createAuthorizationHeader2(token);",
  "sb_secret_santa_planning_for_december_2024",
  "NotificationServiceManager.Client.createNotificationChannel2022",
  btoa(`-----BEGIN CERTIFICATE-----\n${long}`),
  "x-api-key: process.env.SERVICE_API_KEY_2024_EUROPE",
  "key-0123456789abcdef is an anchor",
  "feature/sk-translations-of-the-manual",
  "src/sk-learn-compatible-estimators.py",
  "the bearer responsibilities are many",
  "http://host:8080/mail?to=ann@example.org",
  "https://example.com/a:b@c",
  '["url:http://h:1","protected:deploy.yml","file:x@y"]',
  "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
])("ordinary text stays: %s", (text) => {
  expect(new Redactor().text(text)).toBe(text);
});

test("a bearer header and a password in an address lose only the secret", () => {
  const redactor = new Redactor();
  expect(redactor.text(`Authorization: Bearer ${random}`)).toBe("Authorization: Bearer [redacted bearer]");
  expect(redactor.text("postgres://ann:s3cret@db/forge")).toBe("postgres://ann:[redacted password-in-url]@db/forge");
  expect(redactor.text("https://example.com/a:b@c")).toBe("https://example.com/a:b@c");
});

test("a learned secret is taken out whatever its shape, also in keys", () => {
  const redactor = new Redactor();
  redactor.learn("open sesame now");
  redactor.learn("short");
  expect(redactor.value({ "open sesame now": ["x open sesame now y", 1, null] })).toEqual({
    "[redacted]": ["x [redacted] y", 1, null],
  });
  expect(redactor.text("short stays: it would take out half the language")).toContain("short");
});

test("an address is learned with its password, as written and as meant", () => {
  const redactor = new Redactor();
  redactor.learnAddress("postgres://ann:p%40ss%20word%21@db.example/forge?password=another%2Bone");
  for (const secret of ["p%40ss%20word%21", "p@ss word!", "p%40ss%20word!", "another+one", "another%2Bone"]) {
    expect(redactor.text(`tried <${secret}> at db.example`)).toBe("tried <[redacted]> at db.example");
  }
});

test.each([
  ["postgres://postgres:postgres@localhost/forge", "postgres is there as localhost/forge"],
  ["postgres://localhost/forge", "nothing to take out"],
  ["not an address", "nothing to take out"],
  [undefined, "nothing to take out"],
])("%s leaves the language alone", (address, text) => {
  const redactor = new Redactor();
  redactor.learnAddress(address);
  expect(redactor.text(text)).toBe(text);
});

test("a password that cannot be decoded is taken out as it is", () => {
  const redactor = new Redactor();
  redactor.learnAddress("postgres://ann:100%sure-of-it@db/forge");
  expect(redactor.text("tried 100%sure-of-it")).toBe("tried [redacted]");
});

test("learned secrets are found in their other spellings, and the longer one wins", () => {
  const redactor = new Redactor();
  redactor.learn("abcdefgh");
  redactor.learn("abcdefghijklmnop");
  redactor.learn('tok"en/with spaces');
  expect(redactor.text("abcdefghijklmnop")).toBe("[redacted]");
  expect(redactor.text(JSON.stringify({ a: 'tok"en/with spaces' }))).toBe('{"a":"[redacted]"}');
  expect(redactor.text(encodeURIComponent('tok"en/with spaces'))).toBe("[redacted]");
});

test("two keys that are secrets stay two", () => {
  const value = { [`ghp_${"a".repeat(30)}`]: 1, [`ghp_${"b".repeat(30)}`]: 2 };
  expect(Object.values(new Redactor().value(value))).toEqual([1, 2]);
});

test("what holds no secret is the same object", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const given = JSON.stringify(value);
      expect(JSON.stringify(new Redactor().value(value))).toBe(given);
    }),
  );
  const value = { a: [{ b: "https://example.com" }] };
  expect(new Redactor().value(value)).toBe(value);
});

test("a text in which there was nothing loses a secret that was learned since", () => {
  const redactor = new Redactor();
  const rules = { "the-name-of-it": "Keep to the rules. ".repeat(50), list: [`${"x".repeat(70_000)} the-name-of-it`] };
  for (let round = 0; round < 3; round++) expect(redactor.value(rules)).toBe(rules);
  redactor.learn("Keep to the rules");
  redactor.learn("the-name-of-it");
  expect(JSON.stringify(redactor.value(rules))).not.toMatch(/Keep to|the-name/);
  // However many texts there were in between.
  for (let round = 0; round < 20; round++) redactor.value({ text: `${round} `.repeat(20_000) });
  const token = `ghp_${random}`;
  for (let round = 0; round < 2; round++)
    expect(redactor.value([`${"x ".repeat(300)}${token}`])[0]).not.toContain(token);
});

const keyLines = [
  "-----BEGIN PRIVATE KEY-----",
  "MIIEvQIBADANBgkqhkiG",
  "c2VjcmV0IGtleSBsaW5l",
  "-----END PRIVATE KEY-----",
];

test("a text that is shown in parts keeps its lines, and none of a private key", () => {
  const text = ["first", ...keyLines, "last", `token ghp_${random}`].join("\n");
  const lines = new Redactor().lines(text).split("\n");
  expect(lines).toEqual(["first", "[redacted private-key]", "", "", "", "last", "token [redacted github-token]"]);
});

test.each([
  ["its lines", keyLines.slice(2).join("\n")],
  [
    "its lines in a diff",
    keyLines
      .slice(1)
      .map((line) => `-${line}`)
      .join("\n"),
  ],
  ["one line", `${keyLines[2]}\\n${keyLines[3]}`],
])("the end of a private key is taken out, whose beginning was cut off: %s", (_how, end) => {
  const clean = new Redactor().text(`Two words\n${end}\nafter`);
  expect(clean).not.toContain("c2Vjcm");
  expect(clean).toMatch(/^Two words\n/);
  expect(clean).toMatch(/\nafter$/);
});

test("many ends of keys in one line take no time", () => {
  const text = "-----END PRIVATE KEY-----".repeat(40_000);
  expect(new Redactor().text(text)).not.toContain("END");
});
