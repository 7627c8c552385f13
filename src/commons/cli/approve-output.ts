import { resolve } from "node:path";
import type { Output } from "../../kernel/definitions/command.ts";
import type { App } from "./app.ts";

type OutputFile = { file: string; text: string };

/**
 * Before a command writes what it was told to write. The files can be anywhere, and their text that of others: an assistant's shell
 * that may follow them needs the user's approval, in whichever project it has read them. A folder such as `~/.ssh` is a project, too.
 */
export async function approveOutput(
  { tools }: Pick<App, "tools">,
  command: string,
  files: readonly OutputFile[],
  { signal }: Pick<Output, "signal">,
): Promise<void> {
  const paths = files.map(({ file }) => resolve(file));
  const input = { to: paths, text: files.map(({ text }) => text) };
  await tools.approve(command, { title: "Write to a file", input, ofUser: true }, signal);
}
