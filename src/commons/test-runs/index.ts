export { ProjectTesting } from "./project-testing.ts";
export { TestRunStore } from "./store.ts";
