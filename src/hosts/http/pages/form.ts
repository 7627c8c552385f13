import { createHash, timingSafeEqual } from "node:crypto";
import type { Context } from "hono";
import { ForgeError } from "../../../kernel/errors.ts";

const maxFormLength = 16_384;

/** What a form sent. */
export class Form {
  readonly #values: URLSearchParams;

  private constructor(values: URLSearchParams) {
    this.#values = values;
  }

  static async read(context: Context): Promise<Form> {
    const type = context.req.header("content-type") ?? "";
    const text = /^application\/x-www-form-urlencoded(?:;|$)/i.test(type) ? await context.req.text() : undefined;
    if (text !== undefined && text.length <= maxFormLength) return new Form(new URLSearchParams(text));
    throw new ForgeError("VALIDATION_ERROR", "The form could not be read.", {
      next: ["Open the page again and fill in the form there."],
    });
  }

  /** Empty where the form said nothing. */
  get(name: string): string {
    return this.#values.get(name) ?? "";
  }

  /** Throws where the form was not made for this visitor: another site may have sent it. */
  requireToken(expected: string): void {
    requireSameToken(this.get("csrf"), expected);
  }
}

export function requireSameToken(sent: string, expected: string): void {
  const [given, wanted] = [sent, expected].map((text) => createHash("sha256").update(text).digest());
  if (given && wanted && timingSafeEqual(given, wanted)) return;
  throw new ForgeError("PERMISSION_DENIED", "The form has expired, or was sent from another site.", {
    next: ["Try again from this page."],
  });
}
