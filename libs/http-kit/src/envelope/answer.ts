import { inTurns } from '#libs/worker-pool';
import { type HttpReply, type HttpRequest, sendJson } from '../request/http-request.js';
import { CursorPage, Page, writePage } from './page.js';

/**
 * Sends the result of a handler in its envelope, by its type and never by the presence of a `data` property: a page as
 * `{ data, page, ... }`, any other value as `{ data }`, and no body for undefined.
 */
export async function answer(reply: HttpReply, value: unknown): Promise<void> {
  const { outcome } = reply.request as HttpRequest;
  if (outcome !== undefined) await outcome.succeeded(value, reply.statusCode);
  if (value === undefined) void reply.send();
  // Written in portions, because a page can have many large rows.
  else if (value instanceof Page || value instanceof CursorPage) sendJson(reply, await inTurns(writePage(value)));
  else sendJson(reply, `{"data":${JSON.stringify(value)}}`);
}
