export { TestRunStore } from "./test-run-store.ts";
export { ProjectTesting } from "./test-service.ts";
