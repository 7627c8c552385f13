import { commandLineFor } from "../../../commons/cli/command-line.ts";
import { type ActionFormatter, sentence } from "../../../kernel/action.ts";
import type { Route } from "../../../kernel/definitions/route.ts";
import { isRecord } from "../../../kernel/json.ts";

type Input = Readonly<Record<string, unknown>>;

/** The shell command of an operation. */
export type CommandLine = (tool: string, input: Record<string, unknown>) => string;

/**
 * How an HTTP client is told what to do next: the request where a route is the REST form of the tool and can say all of the
 * input, else the command.
 */
export function wordForHttp<Services>(
  routes: readonly Route<Services>[],
  commandLine: CommandLine = (tool, input) => commandLineFor([], tool, input),
): ActionFormatter {
  return (action) => {
    if (typeof action === "string") return action;
    if ("command" in action) return sentence(`Run \`forge ${action.command}\``, action.why);
    const { tool, input = {}, why } = action;
    const requests = routes.filter((route) => isFormOf(route, tool)).map((route) => requestText(route, input));
    const request = requests.find((text) => text !== undefined);
    return sentence(request === undefined ? `Run \`${commandLine(tool, input)}\`` : `Send ${request}`, why);
  };
}

function isFormOf<Services>({ operation = [] }: Route<Services>, tool: string): boolean {
  return [operation].flat().includes(tool);
}

/** `GET /api/tickets?status=READY`; undefined where the route has no place for a part of the input. */
function requestText<Services>(route: Route<Services>, input: Input): string | undefined {
  const { method, path, names } = route;
  const rest = new Map(Object.entries(input));
  const filled = path.replace(/:(\w+)/g, (_, variable: string) => {
    // A tool's input says of what the id is: `ticketId`, `ticket_id`.
    const field = [variable, `${names}Id`, `${names}_id`].find((name) => rest.has(name));
    const value = field === undefined ? variable.toUpperCase() : String(rest.get(field));
    if (field !== undefined) rest.delete(field);
    return encodeURIComponent(value);
  });
  if (rest.size === 0) return `${method} ${filled}`;
  const fields = fieldsOf(method === "GET" ? route.query : route.body);
  if (![...rest.keys()].every((name) => fields.includes(name))) return undefined;
  if (method !== "GET") return `${method} ${filled} with ${JSON.stringify(Object.fromEntries(rest))}`;
  const query = new URLSearchParams();
  for (const [name, value] of rest) query.set(name, String(value));
  return `GET ${filled}?${query}`;
}

function fieldsOf(schema: unknown): string[] {
  const shape = typeof schema === "object" && schema !== null && "shape" in schema ? schema.shape : undefined;
  return isRecord(shape) ? Object.keys(shape) : [];
}
