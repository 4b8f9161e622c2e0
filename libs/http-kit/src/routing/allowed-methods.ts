interface RouteLayer {
  route?: { methods: Record<string, boolean> };
  match(path: string): boolean;
}

/**
 * The methods that the router knows for a path, upper case and sorted.
 * @param app the express application
 */
export function allowedMethods(app: unknown, path: string): string[] {
  const stack = (app as { router?: { stack?: RouteLayer[] } }).router?.stack ?? [];
  const methods = stack
    .filter((layer) => layer.route !== undefined && matches(layer, path))
    .flatMap((layer) => Object.keys(layer.route?.methods ?? {}))
    .filter((method) => method !== '_all')
    .map((method) => method.toUpperCase());
  return [...new Set(methods)].sort();
}

function matches(layer: RouteLayer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false; // express throws on a malformed percent-encoding: then no route matches
  }
}
