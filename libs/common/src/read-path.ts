/** Own properties only. A key that contains dots takes precedence; list items are addressed by index. */
export function readPath(root: unknown, path: string): unknown {
  if (hasOwn(root, path)) return root[path];
  let value: unknown = root;
  for (const segment of path.split('.')) {
    if (!hasOwn(value, segment)) return undefined;
    value = value[segment];
  }
  return value;
}

function hasOwn(value: unknown, key: string): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key);
}
