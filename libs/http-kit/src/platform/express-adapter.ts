import { ExpressAdapter as NestExpressAdapter } from '@nestjs/platform-express';
import { inTenantScope } from '#libs/common';
import type { AppConfig } from '#libs/config';
import {
  type HttpReply,
  type HttpRequest,
  parseQuery,
  pathOf,
  requestIdOf,
  withoutDoubledSlash,
} from '../request/http-request.js';
import {
  closeInTime,
  type Entry,
  type HttpPlatform,
  type PlatformHandler,
  type ServedRoute,
  type StaticFolder,
} from './http-platform.js';

type Next = (error?: Error) => void;
type Middleware = (request: HttpRequest, response: HttpReply, next: Next) => void;

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** Packages recognize the platform by this class name. */
export class ExpressAdapter extends NestExpressAdapter implements HttpPlatform {
  private entry: Entry | undefined;
  /** Not routes of the router. */
  private readonly folders: ServedRoute[] = [];

  constructor(config: AppConfig) {
    super();
    this.set('query parser', parseQuery);
    this.set('trust proxy', config.get('TRUST_PROXY'));
    this.disable('x-powered-by');
    this.disable('etag');
    this.setOnRequestHook((request: HttpRequest, response: HttpReply, next: Next) =>
      this.enter(request, response, next),
    );
  }

  enterThrough(entry: Entry): void {
    this.entry = entry;
  }

  routes(): readonly ServedRoute[] {
    const routes = this.layers().flatMap(({ route }) =>
      route === undefined
        ? []
        : methodsOf(route).map((method) => ({ method, path: route.path.replace('{*rest}', '*') })),
    );
    return [...routes, ...this.folders];
  }

  allowedMethods(path: string): string[] {
    const matching = this.layers().flatMap((layer) => (layer.route && layer.match(path) ? [layer.route] : []));
    return [...new Set(matching.flatMap(methodsOf))].filter((method) => method !== 'HEAD').sort();
  }

  getBelow(path: string, handler: PlatformHandler): void {
    this.get(`${path}/{*rest}`, handler);
  }

  serveFolder({ root, prefix, before, extensions, isVersioned = false }: StaticFolder): void {
    if (before !== undefined) {
      this.mount(prefix, (request, response, next) => {
        if (before(request, response)) next();
      });
    }
    this.folders.push({ method: 'GET', path: `${prefix.replace(/\/$/, '')}/*` });
    this.useStaticAssets(root, {
      prefix,
      dotfiles: 'ignore',
      redirect: false,
      ...(extensions && { extensions: [...extensions] }),
      ...(isVersioned && { maxAge: '1y', immutable: true }),
    });
    // Unknown files of a folder must not reach other routes.
    this.mount(prefix, (request, _response, next) => next(this.entry?.missing(request)));
  }

  prepare(paths: RegExp, ready: () => Promise<unknown>): void {
    this.mount('/', (request, _response, next) => {
      if (paths.test(pathOf(request.url)))
        ready().then(
          () => next(),
          (error: unknown) => next(error as Error),
        );
      else next();
    });
  }

  override close(): Promise<void> {
    return closeInTime(this.getHttpServer(), async () => super.close());
  }

  takeOver(): void {
    // Express sends nothing by itself.
  }

  private enter(request: HttpRequest, response: HttpReply, next: Next): void {
    Object.assign(request, { id: requestIdOf(request), raw: request, url: withoutDoubledSlash(request.url) });
    Object.assign(response, { raw: response });
    if (this.entry?.admits(request, response) === false) return;
    if (isReadable(pathOf(request.url))) inTenantScope(request, next);
    else this.entry?.refuseUnreadable(request, response);
  }

  private mount(path: string, middleware: Middleware): void {
    this.use(path, middleware);
  }

  private layers(): readonly Layer[] {
    return this.getInstance<{ router: { stack: readonly Layer[] } }>().router.stack;
  }
}

function methodsOf({ methods }: NonNullable<Layer['route']>): string[] {
  return Object.keys(methods).map((method) => method.toUpperCase());
}

function isReadable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
