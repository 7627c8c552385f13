import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";

/** Of a user who is signed in. */
export const sessionCookie = "forge_session";

/** Cookies that only this server's own pages get to see; with `__Host-` no neighbouring site can plant one either. */
export class Cookies {
  readonly #secure: boolean;

  constructor(secure: boolean) {
    this.#secure = secure;
  }

  read(context: Context, name: string): string | undefined {
    return this.#secure ? getCookie(context, name, "host") : getCookie(context, name);
  }

  write(context: Context, name: string, value: string, seconds: number): void {
    setCookie(context, name, value, { ...this.#options, maxAge: seconds });
  }

  remove(context: Context, name: string): void {
    deleteCookie(context, this.#secure ? `__Host-${name}` : name, { path: "/", secure: this.#secure });
  }

  get #options() {
    const shared = { path: "/", httpOnly: true, sameSite: "Lax" } as const;
    return this.#secure ? { ...shared, secure: true, prefix: "host" as const } : shared;
  }
}
