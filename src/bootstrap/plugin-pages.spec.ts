import { createContext, runInContext } from 'node:vm';
import { documentOf, pagesAttribute, PLUGIN_PAGE_POLICY } from './plugin-pages.js';

const PAGE = { path: 'rooms', label: 'Rooms & "more"', routes: ['/v1/rooms'], html: '<p id="rooms"></p>' };

interface Port {
  onmessage?: (event: { data: object }) => void;
  postMessage(message: object): void;
}

describe('a page of a plugin', () => {
  it('should stand after what Herald adds', () => {
    const text = documentOf(PAGE);
    expect(text).toMatch(
      /^<!doctype html>.*<title>Rooms &#38; &#34;more&#34;<\/title>.*<script>[^]*<\/script><p id="rooms"><\/p>$/,
    );
  });

  it('should have no origin, and load nothing', () => {
    expect(PLUGIN_PAGE_POLICY).toContain('sandbox allow-scripts;');
    expect(PLUGIN_PAGE_POLICY).not.toContain('allow-same-origin');
    expect(PLUGIN_PAGE_POLICY).toContain("default-src 'none'");
    expect(PLUGIN_PAGE_POLICY).not.toContain('connect-src');
  });

  it('should be listed in an attribute that its words do not end', () => {
    const attribute = pagesAttribute([{ plugin: 'rooms', ...PAGE, label: `"><script>'` }]);
    expect(attribute).not.toMatch(/["'<>]/);
    expect(attribute).not.toContain('html');
  });

  it('should call through the port of the page around it, and listen to nobody else', async () => {
    const [, script = ''] = /<script>([^]*?)<\/script>/.exec(documentOf(PAGE)) ?? [];
    let listener: (event: object) => void = () => undefined;
    const parent = {};
    const page = createContext({
      parent,
      addEventListener: (_type: string, added: typeof listener) => (listener = added),
    });
    runInContext(script, page);
    const call = runInContext(
      `Promise.all([herald.call('GET', '/v1/rooms'), herald.call('POST', '/v1/rooms', { name: 'Attic' })])`,
      page,
    ) as Promise<unknown>;
    const asked: object[] = [];
    const foreign: Port = { postMessage: () => asked.push({ foreign: true }) };
    listener({ source: {}, ports: [foreign] });
    const port: Port = {
      postMessage: (message) => {
        asked.push(message);
        const { id, method } = message as { id: number; method: string };
        setImmediate(() => port.onmessage?.({ data: { id, status: method === 'GET' ? 200 : 201, body: { id } } }));
      },
    };
    listener({ source: parent, ports: [port] });
    expect(await call).toEqual([
      { status: 200, body: { id: 1 } },
      { status: 201, body: { id: 2 } },
    ]);
    expect(asked).toEqual([
      { id: 1, method: 'GET', path: '/v1/rooms', body: undefined },
      { id: 2, method: 'POST', path: '/v1/rooms', body: { name: 'Attic' } },
    ]);
  });
});
