import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { Api } from '../api/client.js';
import { CONSOLE } from '../public-path.js';
import { useApi } from '../session.js';
import { Page } from '../ui/page.js';
import { allowedCall, type Method, type PageCall, type PluginPage } from './page-calls.js';

/** The types of openapi.json do not know the routes of plugins. */
type AnyRequest = (
  method: Method,
  path: string,
  init: { readonly body?: unknown },
) => Promise<{ readonly data?: unknown; readonly error?: unknown; readonly response: Response }>;

/**
 * A page of a plugin, in a frame without an origin: it sees neither the key nor the cookie of the session. Its calls come through a port, and
 * are made here with the rights of whoever is signed in.
 */
export function pluginPage(page: PluginPage): () => VNode {
  return function PluginPage(): VNode {
    const api = useApi();
    const frame = useRef<HTMLIFrameElement>(null);
    const connect = (): void => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }: MessageEvent<PageCall>) => {
        void answerTo(data, page, api).then((answer) => port1.postMessage({ id: data.id, ...answer }));
      };
      // A frame without an origin has no other address.
      frame.current?.contentWindow?.postMessage('herald', '*', [port2]);
    };
    return (
      <Page title={page.label}>
        <iframe
          ref={frame}
          class="plugin-frame"
          src={`${CONSOLE}/plugin-frames/${page.plugin}/${page.path}`}
          sandbox="allow-scripts"
          title={page.label}
          onLoad={connect}
        />
      </Page>
    );
  };
}

async function answerTo(asked: PageCall, page: PluginPage, api: Api): Promise<{ status: number; body: unknown }> {
  const call = allowedCall(asked, page.routes);
  if (call === undefined) {
    const message = `The page may call ${page.routes.join(', ')} only. Its plugin names them in 'routes'.`;
    return { status: 403, body: { statusCode: 403, message } };
  }
  const request = api.request as unknown as AnyRequest;
  try {
    const { data, error, response } = await request(call.method, call.path, { body: asked.body });
    return { status: response.status, body: data ?? error };
  } catch {
    return { status: 0, body: { message: 'Herald did not answer.' } };
  }
}
