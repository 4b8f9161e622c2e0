import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** Weak, because a proxy may compress the content. */
export function entityTag(content: Buffer): string {
  return `W/"${createHash('sha1').update(content).digest('base64url')}"`;
}

/** Whether the client has the content with this tag. */
export function isKnownTo({ headers }: FastifyRequest, tag: string): boolean {
  const tags = headers['if-none-match']?.split(',').map((one) => one.trim()) ?? [];
  return tags.includes('*') || tags.includes(tag);
}
