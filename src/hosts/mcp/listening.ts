import * as z from "zod";

const listenRequest = z.object({
  method: z.literal("subscriptions/listen"),
  params: z.object({ notifications: z.object({ resourceSubscriptions: z.array(z.string().max(2048)).max(100) }) }),
});

/** The resources a `subscriptions/listen` asks for. The SDK routes their updates, but leaves noticing them to us. */
export function listenedResources(message: unknown): string[] {
  const parsed = listenRequest.safeParse(message);
  return parsed.success ? parsed.data.params.notifications.resourceSubscriptions : [];
}
