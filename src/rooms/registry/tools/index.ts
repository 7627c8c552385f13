// Made by `npm run generate` of the files in this folder.
export const tools = {
  fractary_forge_agent_info: async () => (await import("./agent/fractary-forge-agent-info.ts")).fractaryForgeAgentInfo,
  fractary_forge_agent_list: async () => (await import("./agent/fractary-forge-agent-list.ts")).fractaryForgeAgentList,
  fractary_forge_agent_validate: async () =>
    (await import("./agent/fractary-forge-agent-validate.ts")).fractaryForgeAgentValidate,
  fractary_forge_cache_clear: async () =>
    (await import("./cache/fractary-forge-cache-clear.ts")).fractaryForgeCacheClear,
  fractary_forge_cache_stats: async () =>
    (await import("./cache/fractary-forge-cache-stats.ts")).fractaryForgeCacheStats,
  fractary_forge_config_get: async () => (await import("./config/fractary-forge-config-get.ts")).fractaryForgeConfigGet,
  fractary_forge_config_registry_list: async () =>
    (await import("./config/fractary-forge-config-registry-list.ts")).fractaryForgeConfigRegistryList,
  fractary_forge_config_show: async () =>
    (await import("./config/fractary-forge-config-show.ts")).fractaryForgeConfigShow,
  fractary_forge_fork_check: async () => (await import("./fork/fractary-forge-fork-check.ts")).fractaryForgeForkCheck,
  fractary_forge_fork_diff: async () => (await import("./fork/fractary-forge-fork-diff.ts")).fractaryForgeForkDiff,
  fractary_forge_fork_info: async () => (await import("./fork/fractary-forge-fork-info.ts")).fractaryForgeForkInfo,
  fractary_forge_fork_list: async () => (await import("./fork/fractary-forge-fork-list.ts")).fractaryForgeForkList,
  fractary_forge_plugin_info: async () =>
    (await import("./plugin/fractary-forge-plugin-info.ts")).fractaryForgePluginInfo,
  fractary_forge_plugin_list: async () =>
    (await import("./plugin/fractary-forge-plugin-list.ts")).fractaryForgePluginList,
  fractary_forge_plugin_search: async () =>
    (await import("./plugin/fractary-forge-plugin-search.ts")).fractaryForgePluginSearch,
  fractary_forge_tool_info: async () => (await import("./tool/fractary-forge-tool-info.ts")).fractaryForgeToolInfo,
  fractary_forge_tool_list: async () => (await import("./tool/fractary-forge-tool-list.ts")).fractaryForgeToolList,
  fractary_forge_tool_validate: async () =>
    (await import("./tool/fractary-forge-tool-validate.ts")).fractaryForgeToolValidate,
  registry_add_source: async () => (await import("./change/registry-add-source.ts")).registryAddSource,
  registry_create_agent: async () => (await import("./change/registry-create-agent.ts")).registryCreateAgent,
  registry_create_tool: async () => (await import("./change/registry-create-tool.ts")).registryCreateTool,
  registry_export: async () => (await import("./change/registry-export.ts")).registryExport,
  registry_fork: async () => (await import("./change/registry-fork.ts")).registryFork,
  registry_init: async () => (await import("./change/registry-init.ts")).registryInit,
  registry_install: async () => (await import("./supply/registry-install.ts")).registryInstall,
  registry_list_versions: async () => (await import("./supply/registry-list-versions.ts")).registryListVersions,
  registry_lock: async () => (await import("./supply/registry-lock.ts")).registryLock,
  registry_login: async () => (await import("./supply/registry-login.ts")).registryLogin,
  registry_logout: async () => (await import("./supply/registry-logout.ts")).registryLogout,
  registry_merge: async () => (await import("./change/registry-merge.ts")).registryMerge,
  registry_publish: async () => (await import("./supply/registry-publish.ts")).registryPublish,
  registry_remove_source: async () => (await import("./change/registry-remove-source.ts")).registryRemoveSource,
  registry_uninstall: async () => (await import("./supply/registry-uninstall.ts")).registryUninstall,
  registry_update: async () => (await import("./supply/registry-update.ts")).registryUpdate,
  registry_whoami: async () => (await import("./supply/registry-whoami.ts")).registryWhoami,
  registry_yank: async () => (await import("./supply/registry-yank.ts")).registryYank,
};
