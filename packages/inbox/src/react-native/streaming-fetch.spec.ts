import { readEvents } from '../store/sse.js';
import { streamingFetch } from './streaming-fetch.js';

/** A request as React Native makes it, told by the test what happens. */
class FakeRequest {
  static last: FakeRequest;
  readyState = 1;
  status = 0;
  responseText = '';
  isAborted = false;
  readonly headers: Record<string, string> = {};
  onreadystatechange = (): void => undefined;
  onload = (): void => undefined;
  onerror = (): void => undefined;
  onabort = (): void => undefined;

  constructor() {
    FakeRequest.last = this;
  }

  open(): void {}
  send(): void {}

  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }

  abort(): void {
    this.isAborted = true;
    this.responseText = '';
    this.onabort();
  }

  answer(status: number): void {
    this.status = status;
    this.readyState = 2;
    this.onreadystatechange();
  }

  arrive(text: string): void {
    this.responseText += text;
    this.readyState = 3;
    this.onreadystatechange();
  }
}

const globals = globalThis as { XMLHttpRequest?: unknown };
beforeAll(() => (globals.XMLHttpRequest = FakeRequest));
afterAll(() => delete globals.XMLHttpRequest);

const URL_OF_STREAM = 'https://herald.test/v1/inbox/stream?lastEventId=a.1';

async function eventsOf({ body }: Response): Promise<string[]> {
  const events: string[] = [];
  if (body) for await (const event of readEvents(body)) events.push(event?.data ?? '');
  return events;
}

describe('streamingFetch', () => {
  const open = (signal?: AbortSignal): { response: Promise<Response>; request: FakeRequest } => {
    const response = streamingFetch(URL_OF_STREAM, {
      headers: { Authorization: 'Bearer t' },
      ...(signal && { signal }),
    });
    return { response, request: FakeRequest.last };
  };

  it('should give what comes, in pieces, until the end', async () => {
    const { response, request } = open();
    expect(request.headers).toEqual({ Authorization: 'Bearer t' });
    request.answer(200);
    const events = eventsOf(await response);
    for (const text of ['data: o', 'ne\n\n', 'data: Grüße\n\n']) request.arrive(text);
    await Promise.resolve();
    request.arrive('data: three\n\n');
    request.onload();
    expect(await events).toEqual(['one', 'Grüße', 'three']);
  });

  it('should give a refusal with its body', async () => {
    const { response, request } = open();
    request.answer(429);
    request.arrive('{"code":"too_many_connections"}');
    request.onload();
    const { ok, status, json } = await response;
    expect([ok, status, await json()]).toEqual([false, 429, { code: 'too_many_connections' }]);
  });

  it('should fail when the connection breaks or the signal is given, also before an answer', async () => {
    for (const fail of ['onerror', 'abort'] as const) {
      const ending = new AbortController();
      const early = open(ending.signal);
      if (fail === 'abort') ending.abort();
      else early.request.onerror();
      await expect(early.response).rejects.toThrow('Network request failed');
      const { response, request } = open();
      request.answer(200);
      const events = eventsOf(await response);
      request[fail]();
      await expect(events).rejects.toThrow('Network request failed');
    }
    await expect(open(AbortSignal.abort()).response).rejects.toThrow('Network request failed');
  });

  it('should begin anew before a request keeps too much text', async () => {
    const { response, request } = open();
    request.answer(200);
    const events = eventsOf(await response);
    request.arrive(`data: ${'x'.repeat(1_000_001)}\n\n`);
    await expect(events).rejects.toThrow('Network request failed');
    expect(request.isAborted).toBe(true);
  });

  it('should leave other requests to fetch', async () => {
    const before = globalThis.fetch;
    globalThis.fetch = () => Promise.resolve(new Response('other'));
    try {
      const response = await streamingFetch('https://herald.test/v1/inbox/stream-tickets');
      expect(await response.text()).toBe('other');
    } finally {
      globalThis.fetch = before;
    }
  });
});
