import * as z from "zod";
import { ForgeError } from "../../kernel/errors.ts";
import { readPrivateFile, removePrivateFile, writePrivateFile } from "../../platform/files/write/private-file.ts";
import { isOpenToOthers } from "../../platform/host/permissions.ts";
import { userPath } from "../../platform/host/user-folder.ts";
import type { Log } from "../../platform/log.ts";

const secret = z.string().min(1).max(16_384);
const name = z.string().max(1_000);

/** Other programs keep fields of their own in the file; they stay. */
const login = z.looseObject({
  accessToken: secret,
  refreshToken: secret,
  /** Said by the server. Shown to people and otherwise not relied on: this machine's clock may be wrong. */
  expiresAt: z.iso.datetime({ offset: true }),
  userId: name.min(1),
  /** Empty where the person is in no team yet. */
  teamId: name,
  user: z.looseObject({ email: z.email().max(320), displayName: name }),
  workspaceId: name.nullish(),
  /** Absent in files of programs that know one server only. */
  apiUrl: z.string().max(2_000).optional(),
});

/** Who is signed in where. */
export type StoredLogin = z.output<typeof login>;

/** `~/.forge/config.json`: what `forge login` leaves for every later command. */
export class ConfigFile {
  readonly path: string;
  readonly #log: Log;

  constructor(log: Log, path = userPath("config.json")) {
    this.path = path;
    this.#log = log;
  }

  /** Undefined where nobody is signed in. */
  async read(): Promise<StoredLogin | undefined> {
    if (isOpenToOthers(this.path)) {
      this.#log("warning", `${this.path} could be read by other users, which was put right. Sign in anew if in doubt.`);
    }
    const content = await readPrivateFile(this.path).catch((error) => {
      throw isAboutLink(error) ? this.#isLink() : error;
    });
    return content === undefined ? undefined : this.#understand(content.toString());
  }

  async write(given: StoredLogin): Promise<void> {
    await writePrivateFile(this.path, `${JSON.stringify(login.parse(given), null, 2)}\n`);
  }

  /** Whether somebody was signed in. */
  remove(): Promise<boolean> {
    return removePrivateFile(this.path);
  }

  #understand(text: string): StoredLogin {
    let value: unknown;
    try {
      value = JSON.parse(text.replace(/^\uFEFF/, ""));
    } catch {
      // The parser's message quotes the text, and there are secrets in it.
      throw this.#unusable("it is not valid JSON");
    }
    const parsed = login.safeParse(value);
    if (parsed.success) return parsed.data;
    const wrong = parsed.error.issues.map(({ path }) => path.join(".")).filter((field) => field !== "");
    throw this.#unusable(
      wrong.length === 0 ? "it holds no sign-in" : `missing or wrong: ${[...new Set(wrong)].join(", ")}`,
    );
  }

  /** Others could choose where it leads, and so whom the person is taken for. */
  #isLink(): ForgeError {
    return new ForgeError("CONFIG_ERROR", `${this.path} is a symbolic link; a sign-in is kept in a file of its own.`, {
      details: { file: this.path, found: "link" },
      next: [
        "`forge logout` takes the link away and leaves what it leads to; then sign in with `forge login`.",
        "To keep the sign-in, put the file itself in the place of the link.",
      ],
    });
  }

  #unusable(why: string): ForgeError {
    return new ForgeError("CONFIG_ERROR", `${this.path} cannot be used: ${why}.`, {
      details: { file: this.path },
      next: ["Run `forge login` to sign in anew; it writes the file."],
    });
  }
}

function isAboutLink(error: unknown): boolean {
  return error instanceof ForgeError && error.details?.["found"] === "link";
}
