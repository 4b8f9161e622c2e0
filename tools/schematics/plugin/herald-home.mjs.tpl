import { fileURLToPath } from 'node:url';

/** Where the tests find Herald: HERALD_HOME, or the folder of the Herald that wrote this package. */
process.env.HERALD_HOME ??= fileURLToPath(new URL('__herald__', import.meta.url));
