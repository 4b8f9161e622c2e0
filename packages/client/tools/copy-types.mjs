import { copyFileSync } from 'node:fs';

// The compiler does not copy declarations.
copyFileSync(new URL('../src/schema.d.ts', import.meta.url), new URL('../dist/schema.d.ts', import.meta.url));
