import type { Server } from 'node:http';
import type { HttpServer, INestApplication } from '@nestjs/common';
import type { HttpReply, HttpRequest } from '../request/http-request.js';

/** A method, in upper case, and a path with parameters as `:name`. */
export interface ServedRoute {
  readonly method: string;
  readonly path: string;
}

/** What every request passes first, whether or not there is a route for it. */
export interface Entry {
  /** @returns false if the request needs no further work */
  admits(request: HttpRequest, reply: HttpReply): boolean;
  /** Answers a request whose path cannot be decoded. */
  refuseUnreadable(request: HttpRequest, reply: HttpReply): void;
}

/** A folder whose files are served. */
export interface StaticFolder {
  readonly root: string;
  /** Ends in a slash where the folder itself is no page. */
  readonly prefix: string;
  /** Runs before each file is sent. @returns false if it has answered */
  readonly before?: (request: HttpRequest, reply: HttpReply) => boolean;
  /** Extensions that an address may leave out. */
  readonly extensions?: readonly string[];
  /** Files whose names change with their content: may be kept for a year, and have compressed copies beside them. */
  readonly isVersioned?: boolean;
}

export type PlatformHandler = (request: HttpRequest, reply: HttpReply) => unknown;

/** What Herald needs of an HTTP adapter of Nest beyond what all of them have. One implementation per platform. */
export interface HttpPlatform {
  enterThrough(entry: Entry): void;
  /** All routes that the router knows, also those without a controller. */
  routes(): readonly ServedRoute[];
  /** The methods of a path, upper case and sorted. HEAD is not listed: every route that takes GET takes it. */
  allowedMethods(path: string): string[];
  /** Adds a route without a controller. */
  get(path: string, handler: PlatformHandler): unknown;
  /** Adds a route for all paths below one. Call it after the routes of such paths. */
  getBelow(path: string, handler: PlatformHandler): unknown;
  /** Call it after the routes of paths in the folder. */
  serveFolder(folder: StaticFolder): void;
  /** Makes requests for some paths wait until something is ready. Call it before their routes are added. */
  prepare(paths: RegExp, ready: () => Promise<unknown>): void;
  /** Takes a response away from the platform, which sends nothing of it then. */
  takeOver(reply: HttpReply): void;
}

/** The platform of an application, or of its adapter, which `createHttpPlatform` has made. */
export function platformOf(owner: Pick<INestApplication, 'getHttpAdapter'> | HttpServer): HttpPlatform {
  return ('getHttpAdapter' in owner ? owner.getHttpAdapter() : owner) as unknown as HttpPlatform;
}

/** How long requests in flight may take once no further ones are accepted. */
const LAST_ANSWERS_MS = 10_000;

/** Closes an adapter, and after a while the connections that are still open. */
export async function closeInTime(server: Server, close: () => Promise<unknown>): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), LAST_ANSWERS_MS);
  try {
    await close();
  } finally {
    clearTimeout(timer);
  }
}
