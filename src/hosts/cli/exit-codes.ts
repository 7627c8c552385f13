import type { ErrorCode } from "../../kernel/errors.ts";

/** 1: the user can correct it. 2: the network, a server or Forge itself failed. */
export const exitCodes: Record<ErrorCode, 1 | 2> = {
  AGENT_NOT_FOUND: 1,
  AUTH_FAILED: 1,
  AUTH_REQUIRED: 1,
  CANCELLED: 1,
  CONFIG_ERROR: 1,
  CONFLICT_ERROR: 1,
  CONTRACT_NOT_FOUND: 1,
  DEPENDENCY_ERROR: 1,
  INTEGRITY_ERROR: 1,
  INTERNAL_ERROR: 2,
  NETWORK_ERROR: 2,
  NOT_FOUND: 1,
  PERMISSION_DENIED: 1,
  PLUGIN_NOT_FOUND: 1,
  STORE_ERROR: 2,
  TIMEOUT: 2,
  TOOL_NOT_FOUND: 1,
  TRUST_REQUIRED: 1,
  VALIDATION_ERROR: 1,
};
