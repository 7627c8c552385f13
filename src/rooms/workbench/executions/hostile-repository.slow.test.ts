import { expect, onTestFinished, test } from "vitest";
import { evilKinds, makeEvilRepository } from "../../../../test/harness/git/evil-repo.ts";
import { openRoom } from "../../../../test/harness/rooms/workbench/workbench-executions.ts";
import { forgeCancelExecution } from "../tools/executions/forge-cancel-execution.ts";
import { forgeCommitChanges } from "../tools/executions/forge-commit-changes.ts";
import { forgeExecuteTask } from "../tools/executions/forge-execute-task.ts";
import { forgeGetExecution } from "../tools/executions/forge-get-execution.ts";

/** Whether each step works or is refused is git's matter; that nothing of the repository runs is ours. */
test.each(evilKinds)("a task in a hostile repository (%s) runs nothing that it brings", async (kind) => {
  const evil = makeEvilRepository(kind);
  onTestFinished(() => evil.sandbox.dispose());
  const room = openRoom({
    beside: { sandbox: evil.sandbox, project: evil.path },
    place: { file: `${evil.sandbox.root}/.forge/forge.db` },
  });
  for (const isolation of ["none", "worktree"]) {
    const task = await room.task({ name: isolation });
    const input = { block_id: task.blockId, task_id: task.id, options: { isolation } };
    const started = await room.call(forgeExecuteTask, input);
    if (started.kind === "value") {
      const { root } = started.value.structured as { root: string };
      room.put({ "sub/new.txt": "new\n", "new.dat": "new\n", "new.txt": "new\n" }, root);
      await room.call(forgeGetExecution, {});
      await room.call(forgeCommitChanges, { message: "x" });
      await room.call(forgeCancelExecution, {});
    }
    expect(evil.marks()).toEqual([]);
  }
  expect(room.logged.filter(([level]) => level === "error")).toEqual([]);
});
