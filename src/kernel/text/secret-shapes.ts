/** `word`: what the text contains in any case. A pattern that begins with anything is slow, and is not tried without it. */
type Shape = [name: string, pattern: RegExp, isSecret?: (match: string) => boolean, word?: string | RegExp];

const any = () => true;

/** A word can look like a key (`sk-translations-of-the-manual`); a real one has a long part of letters and digits. */
const isMixed = (match: string) => /(?=[A-Za-z]{0,11}[0-9])(?=[0-9]{0,11}[A-Za-z])[A-Za-z0-9]{12}/.test(match);
export const hasDigit = (match: string) => /[0-9]/.test(match);
/** A bot's begins with its number in base64. */
const isOfDiscord = (match: string) => {
  const [number = ""] = match.split(".");
  return number === "mfa" || (number.length % 4 !== 1 && /^[0-9]+$/.test(atob(number)));
};
/** A certificate in base64 is public. */
const isPrivateKey = (match: string) => atob(match.slice(0, 64)).includes("PRIVATE KEY");

/** Shapes of credentials that must not leave the process. Each pattern is linear: no nested repetition. */
const shapes: readonly Shape[] = [
  ["github-token", /(?<![A-Za-z0-9])(?:gh[opsur]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255})/g],
  [
    "gitlab-token",
    /(?<![A-Za-z0-9])(?:gl(?:pat|dt|rt|rtr|cbt|ptt|ft|soat|agent|oas|imt|ffct)-|GR1348941)[A-Za-z0-9_.-]{20,255}/g,
  ],
  ["forge-token", /(?<![A-Za-z0-9])(?:forge_(?:at|rt|pat)|fg[aiprsuw])_[A-Za-z0-9_-]{16,255}/g],
  ["api-key", /(?<![A-Za-z0-9])(?:sk|csk|sess)-[A-Za-z0-9_-]{20,255}/g, isMixed],
  ["google-key", /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}/g],
  ["google-token", /(?<![A-Za-z0-9])(?:ya29\.[A-Za-z0-9_-]{20,2000}|GOCSPX-[A-Za-z0-9_-]{20,255})/g],
  ["google-token", /(?<![A-Za-z0-9])(?:1\/\/0|4\/0A|AQ\.A)[A-Za-z0-9_-]{30,255}/g],
  ["stripe-key", /(?<![A-Za-z0-9])(?:[sr]k_(?:org_)?(?:live|test|prod)_|whsec_)[A-Za-z0-9+/]{16,255}/g],
  ["huggingface-token", /(?<![A-Za-z0-9])(?:hf_|api_org_)[A-Za-z0-9]{30,40}(?![A-Za-z0-9])/g],
  ["sendgrid-key", /(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,128}/g],
  [
    "slack-webhook",
    /(?<=hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9/_-]{20,255}/gi,
    any,
    /\.slack/i,
  ],
  [
    "discord-webhook",
    /(?<=\/api(?:\/v[0-9]{1,2})?\/webhooks\/[0-9]{10,25}\/)[A-Za-z0-9_-]{30,255}/gi,
    any,
    /\/webhooks\//i,
  ],
  [
    "discord-token",
    /(?<![A-Za-z0-9_-])(?:[MNO][A-Za-z0-9]{22,26}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}|mfa\.[A-Za-z0-9_-]{80,95})/g,
    isOfDiscord,
  ],
  ["telegram-token", /(?<![0-9])[0-9]{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/g],
  ["azure-key", /(?<=(?:AccountKey|SharedAccessKey|AccessKey)=)[A-Za-z0-9+/]{40,120}={0,2}/gi, hasDigit, /key=/i],
  ["azure-key", /(?<![A-Za-z0-9])[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{18,26}(?![A-Za-z0-9])/g, any, "JQQJ99"],
  ["azure-signature", /(?<=[?&; ]sig=)[A-Za-z0-9%+/]{40,120}={0,2}/gi, hasDigit, /sig=/i],
  [
    "azure-secret",
    /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])/g,
    any,
    "Q~",
  ],
  ["digitalocean-token", /(?<![A-Za-z0-9])do[opr]_v1_[a-f0-9]{64}/g],
  ["pypi-token", /(?<![A-Za-z0-9])pypi-[A-Za-z0-9_-]{50,500}/g],
  ["twilio-key", /(?<![A-Za-z0-9])SK[a-f0-9]{32}(?![A-Za-z0-9])/g],
  ["slack-token", /(?<![A-Za-z0-9])(?:xox[a-z]|xapp|xwfp)-[A-Za-z0-9%-]{10,400}/g, hasDigit],
  ["aws-key", /(?<![A-Za-z0-9])A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g],
  ["aws-token", /(?<![A-Za-z0-9])(?:IQoJb3JpZ2lu|F[wQ]oGZXIvYXdz|ABSK)[A-Za-z0-9/+%]{60,4000}={0,2}/g],
  [
    "aws-secret",
    /(?<=(?:aws_?secret_?(?:access_?)?key|SecretAccessKey)["']?[ \t]{0,8}[:=][ \t]{0,8}["']?)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/gi,
    hasDigit,
    /secret_?(?:access_?)?key/i,
  ],
  [
    "named-key",
    /(?<=(?:(?:DD|DATADOG)_AP[IP]_KEY|TWILIO_AUTH_TOKEN|MAILGUN_API_KEY|[:_]authToken|[:_]_?auth|:_password|PRIVATE-TOKEN|X-API-Key)["']?[ \t]{0,8}[:=][ \t]{0,8}["']?)[A-Za-z0-9+/_-]{20,255}={0,2}(?![A-Za-z0-9+/_.(-])/gi,
    hasDigit,
    /_AP[IP]_KEY|[_-]token|:_password|[_:]auth|X-API-Key/i,
  ],
  [
    "mailgun-key",
    /(?<![A-Za-z0-9-])(?:key-[a-f0-9]{32}|[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8})(?![A-Za-z0-9-])/g,
    hasDigit,
  ],
  ["npm-token", /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g],
  ["jwt", /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{0,4000}/g],
  ["bearer", /(?<=bearer[ \t]{1,8})[A-Za-z0-9._~+/=-]{12,4000}/gi, hasDigit, /bearer[ \t]/i],
  [
    "basic",
    /(?<=authorization["' ]{0,3}[:=]["' ]{0,3}(?:basic|token|bot)[ \t]{1,8})[A-Za-z0-9._+/=-]{8,4000}/gi,
    any,
    /authorization["' :=]/i,
  ],
  ["private-key", /(?<![A-Za-z0-9+/])LS0tLS1CRUdJTi[A-Za-z0-9+/]{52,20000}={0,2}/g, isPrivateKey, "LS0tLS1CRUdJTi"],
  ["private-key", /(?<=PRIVATE KEY ----\s{1,4})[^-]{16,20000}/g, any, "PRIVATE KEY ----"],
  ["private-key", /(?<=Private-Lines: [0-9]{1,3}\s{1,4})[A-Za-z0-9+/=\s]{16,20000}/g, any, "Private-Lines"],
  ["private-key", /(?<![A-Za-z0-9-])AGE-SECRET-KEY-1[A-Z0-9]{40,80}/g],
  [
    "doppler-token",
    /(?<![A-Za-z0-9.])dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}(?![A-Za-z0-9])/g,
  ],
  ["vault-token", /(?<![A-Za-z0-9.])hv[sbr]\.[A-Za-z0-9_-]{24,300}/g, hasDigit],
  ["terraform-token", /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}/g, any, ".atlasv1."],
  ["atlassian-token", /(?<![A-Za-z0-9])A(?:TATT|TCTT)3[A-Za-z0-9_=-]{60,300}/g],
  // Services whose keys begin with their own name.
  [
    "service-key",
    /(?<![A-Za-z0-9])(?:gsk|r8|lsv2_[ps][tk]|pcsk|jina|e2b|sntry[su]|glsa|glc|lin_api|lin_oauth|ntn|fig[dou]|shp(?:at|ss|ca|pa|tka)|dckr_[po]at|rubygems|CLOJARS|cfut|cfat|fo1|fm[12]|nfp|vc[pikrac]|vercel_blob_rw|rnd|sbp|sb_secret|pscale_(?:tkn|pw|oauth)|napi|ops|bkua|CCIPAT|CCIPRJ|sq[apu]|ph[xc]|tfp|aio|duffel_(?:live|test)|shippo_(?:live|test)|rdme|pnu)_[A-Za-z0-9_=-]{24,1000}/g,
    isMixed,
  ],
  [
    "service-key",
    /(?<![A-Za-z0-9])(?:xai|pplx|tvly|nvapi|xkeysib|xsmtpsib|NRAK|pul|PMAK|sq0[a-z]{3}|HRKU|tskey-[a-z]{2,10}|CFPAT|bedrock-api-key|FLWSECK(?:_TEST)?)-[A-Za-z0-9_-]{22,1000}/g,
    isMixed,
  ],
];

/** Escapes of JSON, source code and markup, colours of a terminal, and what an address has before a token. */
const escapes =
  /\[[0-9;]{1,20}m|\\{1,8}(?:u[0-9a-f]{4}|u\{[0-9a-f]{1,6}\}|x[0-9a-f]{2}|[abefnrtv0"'])|&(?:quot|apos|amp|lt|gt|#x?[0-9a-f]{1,5});|%[0-9a-f]{2}(?=[a-z0-9]{2,12}[_-])/gi;

/**
 * A text of the same length in which escapes are blank: `\n` before a token would look like a letter that the token
 * begins with. Where something is found in it, it is in the text itself.
 */
export function blankEscapes(text: string): string {
  if (!/[\\&%[]/.test(text)) return text;
  return text.replace(escapes, (found) => " ".repeat(found.length));
}

/** Those that a text can have. */
export function shapesIn(text: string): readonly Shape[] {
  return shapes.filter(([, , , word = ""]) => (typeof word === "string" ? text.includes(word) : word.test(text)));
}

/**
 * A cheap test that rules out most texts before any pattern runs: what one of these shapes contains in any case. Each alternative
 * starts with a character that is rare in texts, and looks back from there: that takes a third of the time of several tests. All
 * of these characters are named first, so that most places in a text are left at once.
 */
export const hint =
  /(?=[_.:=ABFGIJLPQSb14-])(?:_(?:(?<=(?:gh[opsur]|_pat|forge|fg[aiprsuw]|npm|_live|_test|_prod|whsec|hf|_org|_v1|gsk|r8|_[ps][tk]|pcsk|jina|e2b|sntry[su]|gls?[ac]|_api|_oauth|ntn|fig[dou]|shp[a-z]{2,3}|_[po]at|rubygems|CLOJARS|cf[ua]t|fo1|fm[12]|nfp|vc[pikrac]|_rw|rnd|sbp|_secret|_tkn|_pw|napi|ops|bkua|CCIP[A-Z]{2}|CCIPRJ|sq[apu]|ph[xc]|tfp|aio|rdme|pnu)_)|(?=[aA]uth|AUTH_T|_auth|_password|secret_|SECRET_|AP[IP]_KEY))|-(?:(?<=gl[a-z]{2,5}-|sk-|sess-|x[a-z]{3}-|GOCSPX-|pypi-|xai-|key-|pplx-|tvly-|_TEST-|nvapi-|sib-|NRAK-|pul-|PMAK-|sq0[a-z]{3}-|HRKU-|tskey-|CFPAT-|FLWSECK-|-KEY-)|--- ?(?:BEGIN|END) |[a-f0-9]{8}(?<=[a-f0-9]{32}-[a-f0-9]{8})-|(?=[tT](?:OKEN|oken)["':= ]|[aA](?:PI|pi)-[kK]))|:(?:AA|\/\/| ?(?=[tT]oken |[bB]ot )|(?=[aA]uth|AUTH_T|_auth|_password|secret_|SECRET_|AP[IP]_KEY))|\.(?:(?<=ya29\.|dp\.|hv[sbr]\.|mfa\.|\.atlasv1\.|[MNO][\w-]{23,27}\.)|[cC][oO][mM]\/)|A(?:Iza|KIA|SIA|BIA|CCA|BSK|TATT3|TCTT3|Q\.A)|GR1348941|IQoJb3|F[wQ]oGZX|J(?:QQJ99|(?<=eyJ))|LS0tLS1C|Private-Lines: |S(?:ecretAccessKey|G\.|K[a-f0-9]{8})|Q~|1\/\/0|4\/0A|=(?<=[kK][eE][yY]=|[sS][iI][gG]=)|[bB](?:[eE][aA][rR][eE][rR]|[aA][sS][iI][cC])[ \t])/;
