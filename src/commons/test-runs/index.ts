export { TestRunStore } from "./test-run-store.ts";
export { TestService as ProjectTesting } from "./test-service.ts";
