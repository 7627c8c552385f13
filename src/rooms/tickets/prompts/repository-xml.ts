import type { Call } from "../../../kernel/calls/call.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { RepositoryContext } from "../model/repository-context.ts";
import { readRepositoryContext } from "../service/read-repository-context.ts";
import type { RepositoryServices } from "../service/tickets.ts";
import { XmlText } from "./xml-text.ts";

const maxNames = 50;

/** The repository as one element. Where git cannot read it, the element says so: the prompt works without it. */
export async function writeRepositoryXml(services: RepositoryServices, call: Pick<Call, "signal">): Promise<string> {
  const xml = new XmlText();
  const found = await readRepository(services, call);
  xml.nest("repository_context", {}, () => {
    if (found instanceof ForgeError) xml.field("unavailable", found.message);
    else writeContext(xml, found);
  });
  return String(xml);
}

async function readRepository(
  services: RepositoryServices,
  call: Pick<Call, "signal">,
): Promise<RepositoryContext | ForgeError> {
  try {
    return await readRepositoryContext(services, undefined, call);
  } catch (error) {
    if (error instanceof ForgeError && error.code !== "CANCELLED") return error;
    throw error;
  }
}

function writeContext(xml: XmlText, { branch, workingDirectory, status, fileTree, omitted }: RepositoryContext): void {
  xml.field("branch", branch);
  xml.field("root", workingDirectory);
  for (const kind of ["modified", "staged", "untracked"] as const) {
    const count = status[kind].length + (omitted?.[kind] ?? 0);
    if (count === 0) xml.item(kind, undefined, { count });
    xml.list(kind, status[kind].slice(0, maxNames), (name) => xml.item("file", name), { count });
  }
  xml.field("fileTree", fileTree);
}
