import * as z from "zod";
import { ForgeError } from "../../../kernel/errors.ts";
import { readPrivateFile, removePrivateFile, writePrivateFile } from "../../../platform/files/write/private-file.ts";
import { isAccessibleToOthers } from "../../../platform/host/permissions.ts";
import { userPath } from "../../../platform/host/user-folder.ts";
import type { Log } from "../../../platform/log.ts";
import { loginFileIsLink, unusableLoginFile } from "../errors.ts";

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
    if (isAccessibleToOthers(this.path)) {
      this.#log(
        "warning",
        `${this.path} was readable by other users; its permissions are now corrected. If in doubt, sign in again.`,
      );
    }
    const content = await readPrivateFile(this.path).catch((error) => {
      throw isAboutLink(error) ? loginFileIsLink(this.path) : error;
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
      // The parser's message quotes the text, which contains secrets.
      throw unusableLoginFile(this.path, "it is not valid JSON");
    }
    const parsed = login.safeParse(value);
    if (parsed.success) return parsed.data;
    const wrong = parsed.error.issues.map(({ path }) => path.join(".")).filter((field) => field !== "");
    throw unusableLoginFile(
      this.path,
      wrong.length === 0 ? "it contains no sign-in" : `missing or wrong: ${[...new Set(wrong)].join(", ")}`,
    );
  }
}

/** Others could choose where a link leads, and so who the user is taken for. */
function isAboutLink(error: unknown): boolean {
  return error instanceof ForgeError && error.details?.["found"] === "link";
}
