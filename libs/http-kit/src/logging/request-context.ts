import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

const storage = new AsyncLocalStorage<{ requestId: string }>();
const HEADER = 'x-request-id';
const SAFE_ID = /^[\w.:-]{1,128}$/;

export function currentRequestId(): string | undefined {
  return storage.getStore()?.requestId;
}

/** Uses a valid X-Request-Id of the caller or generates an id, and returns it in the response. */
export function requestContext(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers[HEADER];
  const requestId = typeof given === 'string' && SAFE_ID.test(given) ? given : randomUUID();
  response.setHeader('X-Request-Id', requestId);
  storage.run({ requestId }, next);
}
