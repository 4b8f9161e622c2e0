import type { PluginPage } from './plugin-api/index.js';
import type { ConsolePage } from './plugin-host/index.js';

/** Pages run their own scripts and styles, have no origin, so no cookie and no key, and reach nothing but the console around them. */
export const PLUGIN_PAGE_POLICY = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join(';');

/** The console gives the page a port, through which it makes calls for it (apps/console/src/plugins). */
const HERALD_IN_PAGES = `
globalThis.herald = (() => {
  const waiting = new Map();
  const connected = new Promise((resolve) => {
    addEventListener('message', ({ source, ports: [port] }) => {
      if (source !== parent || port === undefined) return;
      port.onmessage = ({ data: { id, ...answer } }) => {
        waiting.get(id)?.(answer);
        waiting.delete(id);
      };
      resolve(port);
    });
  });
  let last = 0;
  return {
    call: async (method, path, body) => {
      const port = await connected;
      const id = (last += 1);
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        port.postMessage({ id, method, path, body });
      });
    },
  };
})();`;

const STYLE = ':root{color-scheme:light dark;font:14px/1.5 system-ui,sans-serif}body{margin:0}';

/** The document of a page: what Herald adds stands first. */
export function documentOf({ html, label }: PluginPage): string {
  const title = escaped(label);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><style>${STYLE}</style><script>${HERALD_IN_PAGES}</script>${html}`;
}

/** Where the console finds the document, below its own address. */
export function frameOf({ plugin, path }: Pick<ConsolePage, 'plugin' | 'path'>): string {
  return `/plugin-frames/${plugin}/${path}`;
}

/** What the console must know of the pages, for an attribute of its own page. */
export function pagesAttribute(pages: readonly ConsolePage[]): string {
  return escaped(JSON.stringify(pages.map(({ plugin, path, label, routes }) => ({ plugin, path, label, routes }))));
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
