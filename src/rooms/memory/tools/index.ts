// Made by `npm run generate` of the files in this folder.
export const tools = {
  embed_memories: async () => (await import("./memories/embed-memories.ts")).embedMemories,
  export_memories: async () => (await import("./memories/export-memories.ts")).exportMemories,
  forget_memories: async () => (await import("./memories/forget-memories.ts")).forgetMemories,
  get_agent_memory: async () => (await import("./project/get-agent-memory.ts")).getAgentMemory,
  get_failure_museum: async () => (await import("./failures/get-failure-museum.ts")).getFailureMuseum,
  get_project_context: async () => (await import("./project/get-project-context.ts")).getProjectContext,
  get_workflow_status: async () => (await import("./project/get-workflow-status.ts")).getWorkflowStatus,
  import_memories: async () => (await import("./memories/import-memories.ts")).importMemories,
  list_memories: async () => (await import("./memories/list-memories.ts")).listMemories,
  list_sessions: async () => (await import("./project/list-sessions.ts")).listSessions,
  recall_structured: async () => (await import("./memories/recall-structured.ts")).recallStructured,
  record_failure: async () => (await import("./failures/record-failure.ts")).recordFailure,
  remember_structured: async () => (await import("./memories/remember-structured.ts")).rememberStructured,
  run_completion_contract: async () => (await import("./failures/run-completion-contract.ts")).runCompletionContract,
};
