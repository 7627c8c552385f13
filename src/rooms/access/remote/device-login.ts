import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { errorFromResponse, explainNoAnswer } from "../../../commons/remote/errors.ts";
import type { ConfigFile, ServerAddress, StoredLogin } from "../../../commons/remote/index.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Redactor } from "../../../kernel/text/redactor.ts";
import type { Fetcher } from "../../../platform/fetch/fetcher.ts";
import type { FetchResponse } from "../../../platform/fetch/response.ts";
import { codeExpired, explainRefusal, isFromAnotherServer, loginDenied, loginStopped, noServerAt } from "./errors.ts";
import { parseAnswer } from "./parse-answer.ts";

export type DeviceLoginOptions = {
  address: ServerAddress;
  fetcher: Pick<Fetcher, "request">;
  /** Where the sign-in is kept. */
  file: ConfigFile;
  redactor: Redactor;
  /** What the approval page shows. */
  client: string;
  /** The slug of the team to work in, where the person has several. */
  team?: string | undefined;
  /** Where the person approves, if not where the server says. */
  appUrl?: string | undefined;
  pause?(ms: number, signal: AbortSignal): Promise<unknown>;
  /** Milliseconds of a clock that nobody sets. */
  now?(): number;
};

const requested = z.object({
  deviceCode: z.string().min(16).max(200),
  userCode: z.string().min(4).max(40),
  verificationUri: z.url({ protocol: /^https?$/ }).max(2_000),
  expiresIn: z.number().min(1).max(3_600),
  interval: z.number().min(0).max(60).default(5),
});
type Requested = z.output<typeof requested>;

const granted = z.object({
  accessToken: z.string().min(1).max(16_384),
  refreshToken: z.string().min(1).max(16_384),
  /** Some servers do not say. */
  expiresAt: z.iso.datetime({ offset: true }).optional(),
  userId: z.string().min(1).max(1_000),
  teamId: z.string().max(1_000),
  user: z.object({ email: z.email().max(320), displayName: z.string().max(1_000) }),
});

const refused = z.object({
  error: z.string().max(100),
  details: z.object({ interval: z.number().min(1).max(300).optional() }).optional(),
});

/** How long an access token lasts if the server does not say; it is only shown. */
const defaultLifetimeMs = 15 * 60_000;
const slowerBySeconds = 5;
const requestMs = 15_000;

/** A sign-in that waits for a person to approve it in a browser, by the rules of RFC 8628. */
export class DeviceLogin {
  readonly userCode: string;
  readonly verificationUri: string;
  readonly expiresIn: number;
  readonly #options: DeviceLoginOptions;
  readonly #deviceCode: string;
  readonly #now: () => number;
  readonly #ends: number;
  #intervalSeconds: number;

  private constructor(options: DeviceLoginOptions, { deviceCode, userCode, expiresIn, interval, ...said }: Requested) {
    this.#options = options;
    this.#deviceCode = deviceCode;
    this.#intervalSeconds = Math.max(1, interval);
    this.#now = options.now ?? (() => performance.now());
    this.#ends = this.#now() + expiresIn * 1_000;
    this.userCode = userCode;
    this.expiresIn = expiresIn;
    this.verificationUri = options.appUrl ? `${options.appUrl.replace(/\/$/, "")}/device` : said.verificationUri;
    options.redactor.learn(deviceCode);
  }

  static async begin(options: DeviceLoginOptions, signal: AbortSignal): Promise<DeviceLogin> {
    const { client, team } = options;
    const wanted = { client, ...(team !== undefined && { team }) };
    const response = await ask(options, "/auth/device/request", wanted, signal);
    if (!response.ok) throw cannotBegin(errorFromResponse(response, describeRequest(options)), options);
    return new DeviceLogin(options, parseAnswer(requested, bodyOf(response, options), "a code for this device"));
  }

  /**
   * The hosts of the server and of the page, if they differ and the user has not set the page's. A server could send the user to
   * approve a code that it got from another server, where it would then act as the user.
   */
  get otherSite(): { server: string; page: string } | undefined {
    const { address, appUrl } = this.#options;
    const [server, page] = [new URL(address.origin), new URL(this.verificationUri)];
    const isSame = server.host === page.host || (isThisMachine(server) && isThisMachine(page));
    return appUrl || isSame ? undefined : { server: server.host, page: page.host };
  }

  /** The address with the code filled in. */
  get completeUri(): string {
    const url = new URL(this.verificationUri);
    url.searchParams.set("code", this.userCode);
    return url.href;
  }

  /** Waits for the person's word and keeps the sign-in. `waiting` is told how long it may still take. */
  async waitForApproval(signal: AbortSignal, waiting: (secondsLeft: number) => void): Promise<StoredLogin> {
    const pause = this.#options.pause ?? ((ms, stop) => sleep(ms, undefined, { signal: stop }));
    let trouble: unknown;
    for (;;) {
      const left = this.#ends - this.#now();
      if (left <= 0) throw trouble ?? codeExpired();
      waiting(Math.ceil(left / 1_000));
      await pause(Math.min(this.#intervalSeconds * 1_000, left), signal).catch(() => undefined);
      if (signal.aborted) throw loginStopped();
      try {
        const login = await this.#poll(signal);
        trouble = undefined;
        if (login) return login;
      } catch (error) {
        // A network that fails for a moment is not an answer: the code is still valid.
        if (!(error instanceof ForgeError) || error.code !== "NETWORK_ERROR") throw error;
        trouble = error;
        this.#intervalSeconds += 1;
      }
    }
  }

  /** Undefined while nobody has waitForApproval. */
  async #poll(signal: AbortSignal): Promise<StoredLogin | undefined> {
    const response = await ask(this.#options, "/auth/device/token", { deviceCode: this.#deviceCode }, signal);
    if (response.ok) return this.#keep(parseAnswer(granted, bodyOf(response, this.#options), "a token"));
    const said = response.status === 400 ? refused.safeParse(bodyOf(response, this.#options)) : undefined;
    if (!said?.success) throw errorFromResponse(response, describeRequest(this.#options));
    const { error, details } = said.data;
    if (error === "authorization_pending") return undefined;
    if (error === "slow_down") {
      this.#intervalSeconds = Math.max(details?.interval ?? 0, this.#intervalSeconds + slowerBySeconds);
      return undefined;
    }
    throw error === "access_denied" ? loginDenied() : codeExpired();
  }

  async #keep({ expiresAt, ...login }: z.output<typeof granted>): Promise<StoredLogin> {
    const { address, file, redactor } = this.#options;
    redactor.learn(login.accessToken);
    redactor.learn(login.refreshToken);
    const stored: StoredLogin = {
      ...login,
      expiresAt: expiresAt ?? new Date(Date.now() + defaultLifetimeMs).toISOString(),
      apiUrl: address.api,
    };
    await file.write(stored);
    return stored;
  }
}

function isThisMachine({ hostname }: URL): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

async function ask(
  options: DeviceLoginOptions,
  path: string,
  json: Record<string, string>,
  signal: AbortSignal,
): Promise<FetchResponse> {
  const { address, fetcher } = options;
  try {
    return await fetcher.request("POST", `${address.api}${path}`, {
      json,
      signal,
      timeoutMs: requestMs,
      maxBytes: 65_536,
      allowPrivate: [address.origin],
    });
  } catch (error) {
    throw explainNoAnswer(error, describeRequest(options));
  }
}

function bodyOf(response: FetchResponse, options: DeviceLoginOptions): unknown {
  try {
    return response.json();
  } catch (error) {
    throw explainNoAnswer(error, describeRequest(options));
  }
}

/** What is asked for here is of no use where it gets lost. */
function describeRequest({ address }: DeviceLoginOptions) {
  return { address, writes: false };
}

function cannotBegin(refusal: ForgeError, { address }: DeviceLoginOptions): unknown {
  return isFromAnotherServer(refusal) ? noServerAt(address, refusal) : explainRefusal(refusal, address);
}
