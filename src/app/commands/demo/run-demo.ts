import { resolve } from "node:path";
import type { App, UpPlace } from "../../../commons/cli/app.ts";
import type { Output } from "../../../kernel/definitions/command.ts";
import { isFreePlace } from "../../../platform/files/free-place.ts";
import { plain } from "../../../platform/terminal/text.ts";
import { linkNeedsTerminal } from "../serve/selection.ts";
import { demoNeedsAnswer, folderNotEmpty } from "./errors.ts";
import { playAssistant } from "./play-assistant.ts";
import { callerFor, type DemoWork, writeSampleCode, writeSampleWork } from "./prepare-demo.ts";

type DemoRequest = {
  folder?: string | undefined;
  yes?: boolean | undefined;
  port?: number | undefined;
  noBrowser?: boolean | undefined;
  exit?: boolean | undefined;
};

const defaultFolder = "forge-demo";
const stepMs = 2_500;
const quickStepMs = 200;
const everything = { toolsets: "all", profile: undefined, readOnly: false };

export async function runDemo(app: App, request: DemoRequest, out: Output): Promise<number> {
  const folder = resolve(request.folder ?? defaultFolder);
  if (!isFreePlace(folder)) throw folderNotEmpty(folder);
  if (!request.yes) {
    const answer = await app.person.confirm(`Create a sample project in ${folder}?`, out.signal);
    if (answer === undefined) throw demoNeedsAnswer();
    if (!answer) {
      out.note("Nothing was created.");
      return 1;
    }
  }
  const step = { title: "Create a sample project, and trust it", input: { folder }, ofUser: true };
  await app.tools.approve("forge demo", step, out.signal);
  out.note("Creating the sample project…");
  const demo = await writeSampleCode(app, folder, out.signal);
  const work = await writeSampleWork(demo, out.signal);
  let finish: (played: Promise<void>) => void = () => undefined;
  const played = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const announce = (place: UpPlace) => {
    out.note(welcome(folder, place));
    if (!request.noBrowser && app.terminal.isInteractive) void app.terminal.openBrowser(place.url);
    finish(play(demo, work, place, request, out));
  };
  if (!request.exit) {
    played.catch((error: unknown) => {
      if (!out.signal.aborted)
        out.note(`The assistant stopped: ${error instanceof Error ? error.message : String(error)}`);
    });
    return demo.serve.up(everything, request.port?.toString(), announce);
  }
  return demo.serve.up(everything, request.port?.toString(), announce, played);
}

async function play(demo: App, work: DemoWork, place: UpPlace, { exit }: DemoRequest, out: Output): Promise<void> {
  await playAssistant(work, {
    url: place.mcpUrl,
    token: place.token,
    pauseMs: exit ? quickStepMs : stepMs,
    narrate: (text) => out.note(text),
    signal: out.signal,
  });
  await callerFor(demo, out.signal)("run_governance_check", { tests: true });
  out.data({ project: place.project, url: place.url, ...work, done: true }, () =>
    [
      "",
      "Done. On the board, look at the ticket with its proof, the execution, and the pages Governance, Registry and Memory.",
      ...(exit ? [] : ["Press Ctrl+C to stop. To remove the demo, delete its folder."]),
    ].join("\n"),
  );
}

function welcome(folder: string, { url, withoutLink }: UpPlace): string {
  return [
    `Created ${plain(folder)}`,
    "",
    `  Board   ${url}`,
    ...(withoutLink ? [`          ${linkNeedsTerminal}`] : []),
    "",
    "Open it and watch: an assistant takes a ticket now.",
    "",
  ].join("\n");
}
