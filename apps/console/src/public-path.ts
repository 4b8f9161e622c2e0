/** The path below which browsers reach Herald, such as `/herald`; empty at the root of a host. The page names it. */
const SERVED = globalThis.document?.getElementById('console')?.dataset;
const PUBLIC_PATH = SERVED?.['publicPath'] ?? '';
/** The pages of plugins, as JSON. */
export const SERVED_PAGES = SERVED?.['pages'] ?? '[]';

/** Where the console is served. Every page has an address below it. */
export const CONSOLE = `${PUBLIC_PATH}/console`;
/** An address of Herald that is no page of the console. @param path such as `/api` */
export const addressOf = (path: string): string => PUBLIC_PATH + path;
/** Where clients reach the API. */
export const apiUrl = (): string => location.origin + PUBLIC_PATH;
