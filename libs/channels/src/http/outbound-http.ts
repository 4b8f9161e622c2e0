import { Agent, fetch } from 'undici';
import type { OutboundHttp, OutboundRequest, OutboundResponse } from './outbound-http.types.js';

class UndiciHttp implements OutboundHttp {
  private readonly agent = new Agent();

  async request(request: OutboundRequest): Promise<OutboundResponse> {
    const answer = await fetch(request.url, {
      method: request.method ?? (request.body === undefined ? 'GET' : 'POST'),
      dispatcher: this.agent,
      redirect: 'error',
      ...(request.headers === undefined ? {} : { headers: { ...request.headers } }),
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      text,
      json: () => JSON.parse(text) as unknown,
    };
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }
}

export function createOutboundHttp(_options: { allowPrivateUrls: boolean }): OutboundHttp {
  return new UndiciHttp();
}
