import { type Job, perform } from "./store-jobs.ts";

process.on("message", (job: Job) => {
  perform(job).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on("disconnect", () => process.exit());
process.send?.({ ready: true });
