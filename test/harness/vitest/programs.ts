/** Names the folder for the programs that tests start; it is inside the project, so that they find its packages. */
export const programsVariable = "FORGE_TEST_PROGRAMS";
