import { activityUri, limits, presentEntry } from "../../../commons/ledger/model.ts";
import { defineResource } from "../../../kernel/definitions/resource.ts";
import type { ActivityServices } from "../open.ts";

const activityResource = defineResource<ActivityServices>({
  uri: activityUri,
  name: "activity",
  title: "Recent activity",
  description:
    "Recent calls in this project: who called what, on what, and the outcome. The newest 50 entries of the ledger, oldest first.",
  mimeType: "application/json",
  async read({ ledger, guard }, _variables, call) {
    const entries = await ledger.latest({ limit: limits.defaultCount });
    // Callers choose what things are called.
    if (await guard.hasForeignCalls(entries)) await call.noteUntrusted();
    return { text: JSON.stringify({ entries: entries.map(presentEntry) }) };
  },
  // Reading the activity must not announce new activity: that would never end.
  watch: ({ ledger }, _uri, changed) => ledger.watch(changed, ({ name }) => name !== activityUri),
});

export const resources = [activityResource];
