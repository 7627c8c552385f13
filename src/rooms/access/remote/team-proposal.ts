import { join } from "node:path";
import * as z from "zod";
import { serverAddress } from "../../../commons/remote/index.ts";
import { tryParseJson } from "../../../kernel/json.ts";
import { readSmallFile } from "../../../platform/files/small-file.ts";
import { unusableProposal } from "./errors.ts";

/** In the project's folder, for the team to commit. */
export const proposalFile = ".forge-team.json";

const maxBytes = 10_000;

const proposal = z.object({
  server: z.string().max(2_000).describe("The server's address"),
  team: z.string().regex(/^[a-z0-9-]{1,60}$/, "must be a team's slug"),
});

/** The team whose tickets are meant for a repository, as somebody who can write to the repository says. */
export type TeamProposal = { origin: string; api: string; team: string };

/** Undefined where there is none. It is never acted on by itself: the file may be anybody's. */
export function readProposal(root: string): TeamProposal | undefined {
  const file = join(root, proposalFile);
  const text = readSmallFile(file, maxBytes);
  if (text === undefined) return undefined;
  const read = proposal.safeParse(tryParseJson(text));
  if (!read.success) throw unusableProposal(file);
  return { ...serverAddress(read.data.server, file), team: read.data.team };
}

/** The file's text for a link. */
export function proposalText({ server, slug }: { server: string; slug: string }): string {
  return `${JSON.stringify({ server, team: slug }, null, 2)}\n`;
}
