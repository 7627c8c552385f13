import { failure } from "./failures.ts";

type Parts = { url: URL; status: number; headers: Readonly<Record<string, string>>; body: Uint8Array };

/** A complete response, whatever its status. */
export class FetchResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where the answer came from in the end. */
  readonly url: URL;
  readonly #body: Uint8Array;

  constructor({ url, status, headers, body }: Parts) {
    this.url = url;
    this.status = status;
    this.headers = headers;
    this.#body = body;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  bytes(): Uint8Array {
    return this.#body;
  }

  text(): string {
    return new TextDecoder().decode(this.#body);
  }

  json(): unknown {
    if (this.#body.length === 0) throw this.#notJson("is empty");
    try {
      return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(this.#body));
    } catch {
      // The parser's message quotes the answer, which may hold anything.
      throw this.#notJson(this.#looksLikeHtml() ? "is a web page" : "is not valid JSON");
    }
  }

  #looksLikeHtml(): boolean {
    return /^text\/html\b/i.test(this.headers["content-type"] ?? "") || /^\s{0,99}</.test(this.text().slice(0, 100));
  }

  #notJson(what: string) {
    const { host } = this.url;
    return failure(
      "not-json",
      this.url,
      `Expected JSON from ${host}, but the response ${what} (status ${this.status}).`,
      ["Check the address: a proxy, a login page or another program may have responded.", "Try again later."],
      { status: this.status },
    );
  }
}
