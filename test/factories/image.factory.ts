import type { TestSession } from '../harness/index.js';
import { dataOf, type Json } from '../support/answers.js';

/** A picture of one pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export async function createImage(session: TestSession, overrides: Json = {}): Promise<Json> {
  return dataOf(session.post('/v1/images', { name: 'logo.png', file: PNG, ...overrides }), 201);
}
