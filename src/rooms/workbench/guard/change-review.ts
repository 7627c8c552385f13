import { createHash } from "node:crypto";
import { type MarkedText, withoutAsking } from "../../../commons/guard/index.ts";
import type { Call } from "../../../kernel/calls/call.ts";
import type { FoundSecret } from "../../../kernel/text/redactor.ts";
import { isAboveGuarded, isAboveProtected, isProtected, needsPerson } from "../../../platform/files/protected-names.ts";
import type { TrackedLink } from "../../../platform/git/read/tracked-links.ts";
import type { ReviewedChange } from "../../../platform/git/work-model.ts";
import { hasSecretName } from "../executions/commit/secret-files.ts";
import { listOtherNames } from "./other-names.ts";
import type { CommitIntent, WorkGuardDeps } from "./work-guard.ts";

/** Where a commit's message is meant among files. */
const messagePlace = "the commit message";
const maxNamed = 5;

/** A change that a person may have allowed before, by path and content. */
type Item = { path: string; sha256: string; kinds?: string[]; how?: "deleted" | "a link" };

type ReviewSurroundings = {
  /** What was allowed for it is asked again in the next one: allowing a file once does not allow it forever. */
  execution: string;
  hasReadOthers: boolean;
  /** Those that were there before. */
  links: readonly TrackedLink[];
};

/** Looks at what would enter history: protected paths, files that instruct assistants or servers, and secrets. */
export class ChangeReview {
  readonly #deps: Pick<WorkGuardDeps, "guard" | "redactor">;

  constructor(deps: Pick<WorkGuardDeps, "guard" | "redactor">) {
    this.#deps = deps;
  }

  /** Throws unless nothing of that kind is in it, or a person has allowed it. */
  async require(call: Call, { message, changes }: CommitIntent, how: ReviewSurroundings): Promise<void> {
    await this.#requireSecrets(call, message, changes);
    await this.#requirePaths(call, changes, how);
  }

  async #requirePaths(
    call: Call,
    changes: readonly ReviewedChange[],
    { execution, hasReadOthers, links }: ReviewSurroundings,
  ): Promise<void> {
    const what = `change:${execution}`;
    const isMeant = (path: string) => isProtected(path) || (hasReadOthers && needsPerson(path));
    const leadsThere = (path: string) => isAboveProtected(path) || (hasReadOthers && isAboveGuarded(path));
    const meant = changes.filter(
      ({ path, isLink }) =>
        isMeant(path) || (isLink && leadsThere(path)) || listOtherNames(path, links).some((name) => isMeant(name)),
    );
    const items = await this.#listNew(
      what,
      meant.map(({ path, blob, isLink }) =>
        blob === undefined
          ? { path, sha256: "deleted", how: "deleted" }
          : { path, sha256: blob, ...(isLink && { how: "a link" }) },
      ),
    );
    if (items.length === 0) return;
    const why = "programs and assistants take what they run or may do from these files";
    await this.#allow(call, what, items, { summary: `Commit ${nameAll(items)}`, prefix: "protected", why });
  }

  async #requireSecrets(call: Call, message: string, changes: readonly ReviewedChange[]): Promise<void> {
    const found = changes.flatMap((change) => this.#findSecrets(change));
    const inMessage = this.#deps.redactor.find(message);
    if (inMessage.length > 0) found.push(toItem(messagePlace, inMessage));
    const items = await this.#listNew("secret", found);
    if (items.length === 0) return;
    const kinds = [...new Set(items.flatMap((item) => item.kinds ?? []))].join(", ");
    const why = "what is committed stays in the history and can be read by everyone who gets it";
    const summary = `Commit what looks like a secret (${kinds}) in ${nameAll(items)}, and the same there ${withoutAsking}`;
    await this.#allow(call, "secret", items, { summary, prefix: "secret", why, lasts: true });
  }

  #findSecrets({ path, blob, isNew, secrets }: ReviewedChange): Item[] {
    if (blob === undefined) return [];
    // Its name enters the history as well.
    const found = isNew ? [...secrets, ...this.#deps.redactor.find(path)] : secrets;
    if (found.length > 0) return [toItem(path, found)];
    return isNew && hasSecretName(path) ? [{ path, sha256: blob, kinds: ["by its name"] }] : [];
  }

  /** Those that a person has not allowed before. */
  async #listNew(what: string, items: readonly Item[]): Promise<Item[]> {
    const isAllowed = await Promise.all(items.map((item) => this.#deps.guard.marks.has(markOf(what, item))));
    return items.filter((_, index) => !isAllowed[index]);
  }

  async #allow(
    call: Call,
    what: string,
    items: readonly Item[],
    { prefix, ...said }: { summary: string; prefix: string; why: string; lasts?: true },
  ): Promise<void> {
    const { guard } = this.#deps;
    const touches = items.map((item) => `${prefix}:${nameOf(item)}`);
    const content = items.map(({ path, sha256 }) => [path, sha256]);
    await guard.requirePerson(call, { ...said, touches, content });
    for (const item of items) await guard.marks.add(markOf(what, item), call.principal.name);
  }
}

function markOf(what: string, { path, sha256 }: Item): MarkedText {
  return { kind: "allowed", subject: `${what}:${path}`, sha256 };
}

/** By what was found and not by the file: an edit elsewhere in it asks nothing. */
function toItem(path: string, secrets: readonly FoundSecret[]): Item {
  const values = [...new Set(secrets.map(({ secret }) => secret))].sort();
  const sha256 = createHash("sha256").update(JSON.stringify(values)).digest("hex");
  return { path, sha256, kinds: [...new Set(secrets.map(({ kind }) => kind))] };
}

function nameAll(items: readonly Item[]): string {
  const named = items.slice(0, maxNamed).map(nameOf);
  return named.join(", ") + (items.length > maxNamed ? ` and ${items.length - maxNamed} more` : "");
}

/** What becomes of it, unless it is written. */
function nameOf({ path, how }: Item): string {
  return how === undefined ? path : `${path} (${how})`;
}
