import { signInPath } from "./sign-in-path.ts";
import { facts, team } from "./start.ts";

/** An answer that says no, with what to do about it. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly next: string[];

  constructor(status: number, code: string, message: string, next: string[]) {
    super(message);
    this.status = status;
    this.code = code;
    this.next = next;
  }

  /** Someone else changed it in the meantime. */
  get isConflict(): boolean {
    return this.status === 409 || this.status === 412;
  }
}

type Method = "GET" | "POST" | "PATCH" | "DELETE";

export async function request<T>(method: Method, path: string, body?: unknown, revision?: number): Promise<T> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["content-type"] = "application/json";
  if (revision !== undefined) headers["if-match"] = `"${revision}"`;
  const { csrf } = facts.value ?? {};
  if (csrf !== undefined && method !== "GET") headers["x-csrf-token"] = csrf;
  if (team.value) headers["x-team-id"] = team.value.id;
  const response = await fetch(path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new ApiError(0, "NETWORK_ERROR", "The server cannot be reached.", []);
  });
  const text = await response.text();
  if (response.ok) return (text === "" ? undefined : JSON.parse(text)) as T;
  if (response.status === 401 && facts.value?.place === "team") location.assign(signInPath());
  throw errorIn(response.status, text);
}

/** What a tool that changes nothing answers. */
export function readTool<T>(name: string, input: Record<string, unknown> = {}): Promise<T> {
  return request<T>("POST", `/api/tools/${name}`, input);
}

function errorIn(status: number, text: string): ApiError {
  try {
    const { code, message, suggestions, next } = JSON.parse(text) as Record<string, unknown>;
    const advice = [suggestions, next].find(Array.isArray) ?? [];
    return new ApiError(
      status,
      String(code ?? status),
      String(message ?? "The server refused this."),
      advice.map(String),
    );
  } catch {
    return new ApiError(status, String(status), `The server answered with status ${status}.`, []);
  }
}
