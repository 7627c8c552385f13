import type { App } from "../../../../commons/cli/app.ts";
import type { Command } from "../../../../kernel/command.ts";
import { blockChanges } from "./block-changes.ts";
import { blockFiles } from "./block-files.ts";
import { blockLooks } from "./block-looks.ts";
import { spoken } from "./command-words.ts";
import { runCancel } from "./run-cancel.ts";
import { runCommit } from "./run-commit.ts";
import { runDiff } from "./run-diff.ts";
import { runLooks } from "./run-looks.ts";
import { runStart } from "./run-start.ts";
import { runTest } from "./run-test.ts";
import { runWatch } from "./run-watch.ts";
import { taskChanges } from "./task-changes.ts";
import { taskClaims } from "./task-claims.ts";
import { taskLooks } from "./task-looks.ts";

/** One door, so that the build makes one file of it. In the order of the help. */

const ofBlocks: Command<App>[] = [...blockLooks, ...blockChanges, ...blockFiles];
const ofTasks: Command<App>[] = [...taskLooks, ...taskChanges, ...taskClaims];
const ofRuns: Command<App>[] = [...runLooks, runStart, runWatch, runDiff, runTest, runCommit, runCancel];

export const blockCommands = ofBlocks.map(spoken);
export const taskCommands = ofTasks.map(spoken);
export const runCommands = ofRuns.map(spoken);
