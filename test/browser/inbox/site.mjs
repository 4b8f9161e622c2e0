import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { filledIn, manualExamples } from './manual.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const DIST = `${ROOT}packages/inbox/dist`;
const esbuild = createRequire(import.meta.url)('esbuild');

/** Nothing inline, nothing unsafe, and no text becomes markup but by the policy of the component. */
const policyOf = (herald) =>
  [
    "default-src 'none'",
    // The manual takes the script from Herald.
    `script-src 'self' ${herald}`,
    "style-src 'self'",
    `connect-src ${herald}`,
    "img-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types herald-inbox vue',
  ].join('; ');

/**
 * An application of its own origin that shows the inbox: in HTML, with React and with Vue. Attributes of the element are the query
 * of the page; `lang`, `dir` and `width` of the page are set as well.
 */
export async function startSite(herald) {
  const files = new Map([
    ['/herald-inbox.js', read('herald-inbox.js')],
    ['/languages.js', read('languages.js')],
    ['/push-worker.js', read('push-worker.js')],
    [
      '/page.css',
      'body { margin: 0; padding: 16px; font-family: sans-serif } nav { display: flex; justify-content: end } [data-page-dark] { background: #0c0f15; color: #eee }',
    ],
    ['/plain.js', PLAIN],
    ['/react.js', bundle(REACT)],
    ['/vue.js', bundle(VUE)],
  ]);
  const manual = manualExamples();
  const site = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://site');
    const file = files.get(pathname);
    if (file) {
      const type = pathname.endsWith('.css') ? 'text/css' : 'text/javascript';
      return response.setHeader('content-type', type).end(file);
    }
    const [, name = '', script] = /^\/([\w-]+?)(\.js)?$/.exec(pathname) ?? [];
    const example = manual[name];
    if (example && script) {
      const program = filledIn(example.program, Object.fromEntries(searchParams));
      return response.setHeader('content-type', 'text/javascript').end(bundle(program));
    }
    if (pathname === '/favicon.ico') return response.writeHead(204).end();
    response.setHeader('content-security-policy', policyOf(herald));
    const page = example ? examplePage(name, example, searchParams) : pageOf(pathname, searchParams);
    response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
  });
  await once(site.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${site.address().port}`,
    async close() {
      site.closeAllConnections();
      await once(site.close(), 'close');
    },
  };
}

function read(name) {
  return readFileSync(`${DIST}/${name}`, 'utf8');
}

/** Others are where links of messages lead. */
const PAGES = ['plain', 'react', 'vue'];

function pageOf(pathname, query) {
  const kind = pathname === '/' ? 'plain' : pathname.slice(1);
  const attributes = [...query]
    .filter(([name]) => name !== 'lang' && name !== 'dir')
    .map(([name, value]) => `${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`);
  const body =
    kind === 'plain' ? `<nav><herald-inbox ${attributes.join(' ')}></herald-inbox></nav>` : '<nav id="root"></nav>';
  const dark = query.get('theme') === 'dark' ? ' data-page-dark' : '';
  return `<!doctype html><html lang="${query.get('lang') ?? 'en'}" dir="${query.get('dir') ?? 'ltr'}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Shop</title><link rel="stylesheet" href="/page.css">
${PAGES.includes(kind) ? `<script type="module" src="/${kind}.js"></script>` : ''}</head><body${dark}><main><h1>Shop</h1>${body}</main></body></html>`;
}

function examplePage(name, { body, program }, query) {
  const script = program === undefined ? '' : `<script type="module" src="/${name}.js?${query}"></script>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>${script}</head><body><main><h1>Shop</h1>
${filledIn(body, Object.fromEntries(query))}</main></body></html>`;
}

/** Keeps what happens, for the test. */
const RECORD = `
  globalThis.events = [];
  for (const name of ['select', 'action', 'message', 'counts', 'error', 'toggle']) {
    addEventListener('herald-' + name, (event) => events.push([name, event.detail]));
  }
`;
const PLAIN = `import '/herald-inbox.js';${RECORD}`;
const PROPS = `
  const query = Object.fromEntries(new URLSearchParams(location.search));
  const props = {
    backendUrl: query['backend-url'],
    applicationIdentifier: query['application-identifier'],
    subscriberId: query['subscriber-id'],
    subscriberHash: query['subscriber-hash'],
    tabs: [{ label: 'All' }, { label: 'Billing', filter: { tags: ['billing'] } }],
    labels: { title: 'Messages' },
  };
`;
const REACT = `
  import { createElement, useState } from 'react';
  import { createRoot } from 'react-dom/client';
  import { HeraldInbox } from '@herald/inbox/react';
  ${RECORD}${PROPS}
  function App() {
    const [unread, setUnread] = useState();
    return createElement('div', {},
      createElement('output', {}, unread === undefined ? '' : unread + ' for React'),
      createElement(HeraldInbox, { ...props, onCounts: ({ detail }) => setUnread(detail.unread) }));
  }
  createRoot(document.getElementById('root')).render(createElement(App));
`;
const VUE = `
  import { createApp, h, ref } from 'vue';
  import { HeraldInbox } from '@herald/inbox/vue';
  ${RECORD}${PROPS}
  const unread = ref();
  createApp({
    render: () => h('div', {}, [
      h('output', {}, unread.value === undefined ? '' : unread.value + ' for Vue'),
      h(HeraldInbox, { ...props, onCounts: ({ detail }) => (unread.value = detail.unread) }),
    ]),
  }).mount('#root');
`;

/** As an application does it: with the packages that are installed, of which one is ours. */
function bundle(contents) {
  const { outputFiles } = esbuild.buildSync({
    stdin: { contents, resolveDir: `${ROOT}packages/inbox`, loader: 'jsx' },
    jsx: 'automatic',
    bundle: true,
    format: 'esm',
    minify: true,
    define: {
      'process.env.NODE_ENV': '"production"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0].text;
}
