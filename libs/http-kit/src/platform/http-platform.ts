import type { Server } from 'node:http';
import type { HttpServer, INestApplication } from '@nestjs/common';
import type { HttpReply, HttpRequest } from '../request/http-request.js';

/** Method in upper case; parameters as `:name`. */
export interface ServedRoute {
  readonly method: string;
  readonly path: string;
}

/** Runs first for every request, with or without a route. */
export interface Entry {
  /** @returns false if the request needs no further work */
  admits(request: HttpRequest, reply: HttpReply): boolean;
  /** For paths that cannot be decoded. */
  refuseUnreadable(request: HttpRequest, reply: HttpReply): void;
  /** What is thrown where a folder has no such file. */
  missing(request: HttpRequest): Error;
}

export interface StaticFolder {
  readonly root: string;
  /** Ends in a slash if the folder itself is no page. */
  readonly prefix: string;
  /** Runs before each file is sent. @returns false if it has answered */
  readonly before?: (request: HttpRequest, reply: HttpReply) => boolean;
  /** Extensions that a URL may omit. */
  readonly extensions?: readonly string[];
  /** Names change with the content: cached for a year, with compressed copies beside the files. */
  readonly isVersioned?: boolean;
}

export type PlatformHandler = (request: HttpRequest, reply: HttpReply) => unknown;

/** Additions to Nest's HTTP adapter; one implementation per platform. */
export interface HttpPlatform {
  enterThrough(entry: Entry): void;
  /** Includes routes without a controller. */
  routes(): readonly ServedRoute[];
  /** Upper case and sorted. HEAD is omitted: every GET route takes it. */
  allowedMethods(path: string): string[];
  /** Adds a route without a controller. */
  get(path: string, handler: PlatformHandler): unknown;
  /** Call after adding routes below the path. */
  getBelow(path: string, handler: PlatformHandler): unknown;
  /** Call after adding routes below the folder. */
  serveFolder(folder: StaticFolder): void;
  /** Delays requests until ready. Call before adding their routes. */
  prepare(paths: RegExp, ready: () => Promise<unknown>): void;
  /** The platform then sends nothing. */
  takeOver(reply: HttpReply): void;
}

/** For adapters made by `createHttpPlatform`. */
export function platformOf(owner: Pick<INestApplication, 'getHttpAdapter'> | HttpServer): HttpPlatform {
  return ('getHttpAdapter' in owner ? owner.getHttpAdapter() : owner) as unknown as HttpPlatform;
}

/** For requests in flight once no further ones are accepted. */
const LAST_ANSWERS_MS = 10_000;

/** Closes remaining connections after a while. */
export async function closeInTime(server: Server, close: () => Promise<unknown>): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), LAST_ANSWERS_MS);
  try {
    await close();
  } finally {
    clearTimeout(timer);
  }
}
