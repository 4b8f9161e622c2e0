import type { Schemas } from '../api/client.js';

export type Topic = Schemas['TopicResponse'];

/** What one request may have. */
const MAX_IDS = 500;

/** Ids that a person typed or pasted: one to a line, or with commas or semicolons between. Each once. */
export function idsIn(text: string): string[] {
  const ids = text.split(/[\n,;]+/).map((id) => id.trim());
  return [...new Set(ids)].filter((id) => id !== '');
}

export function inPortions(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / MAX_IDS) }, (_, at) =>
    ids.slice(at * MAX_IDS, (at + 1) * MAX_IDS),
  );
}

export function memberCount(count: number): string {
  return count === 1 ? '1 subscriber' : `${count.toLocaleString('en')} subscribers`;
}
