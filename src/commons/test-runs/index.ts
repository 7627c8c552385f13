export { TestRunStore } from "./test-run-store.ts";
export { TestService } from "./test-service.ts";
