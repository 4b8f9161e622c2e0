import { createHash } from 'node:crypto';
import type { HttpRequest } from '#libs/http-kit';

/** Weak, because a proxy may compress the content. */
export function entityTag(content: Buffer): string {
  return `W/"${createHash('sha1').update(content).digest('base64url')}"`;
}

export function isKnownTo({ headers }: Pick<HttpRequest, 'headers'>, tag: string): boolean {
  const tags = headers['if-none-match']?.split(',').map((one) => one.trim()) ?? [];
  return tags.includes('*') || tags.includes(tag);
}
