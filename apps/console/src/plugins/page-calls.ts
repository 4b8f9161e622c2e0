/** A page that a plugin has added. Herald names them in the page of the console. */
export interface PluginPage {
  readonly plugin: string;
  readonly path: string;
  readonly label: string;
  /** The beginnings of the paths that it may call. */
  readonly routes: readonly string[];
}

/** What a page asks for. Anything could come from it. */
export interface PageCall {
  readonly id: unknown;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof METHODS)[number];

/** The call of a page with the path as a browser reads it, or undefined for one that it may not make. */
export function allowedCall(
  { method, path }: PageCall,
  routes: readonly string[],
): { readonly method: Method; readonly path: string } | undefined {
  const known = METHODS.find((one) => one === String(method).toLowerCase());
  const base = 'http://herald.invalid';
  const url = urlOf(String(path), base);
  if (known === undefined || url?.origin !== base) return undefined;
  const isOwn = routes.some((route) => url.pathname === route || url.pathname.startsWith(`${route}/`));
  return isOwn ? { method: known, path: url.pathname + url.search } : undefined;
}

function urlOf(path: string, base: string): URL | undefined {
  try {
    return new URL(path, base);
  } catch {
    return undefined;
  }
}
