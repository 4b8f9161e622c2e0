import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * @param fromBundle relative to `dist/bundle`, which is as deep as the sources of this folder
 * @param fromCompiled relative to `dist/src/bootstrap`
 */
export function programFile(fromBundle: string, fromCompiled: string): string {
  const [joined = '', compiled = ''] = [fromBundle, fromCompiled].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return !existsSync(joined) && existsSync(compiled) ? compiled : joined;
}
