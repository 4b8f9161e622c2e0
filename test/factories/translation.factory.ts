import type { TestSession } from '../harness/index.js';
import { dataOf, type Json } from '../support/answers.js';

/** Creates a locale, or replaces its messages. */
export function setTranslation(
  session: TestSession,
  locale: string,
  messages: Json,
  more: Json = {},
): Promise<Json & { messages: Record<string, string> }> {
  return dataOf(session.put(`/v1/translations/${locale}`, { messages, ...more }), 200);
}
