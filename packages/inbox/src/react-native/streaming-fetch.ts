/** A request keeps all of its text. After this much, the stream begins anew with what comes next. */
const MAX_TEXT = 1_000_000;
const HEADERS_RECEIVED = 2;

/**
 * `fetch` of React Native has no body before all of it is there, so the stream of Herald would never begin. `XMLHttpRequest` has each
 * piece as it comes, as text.
 */
export const streamingFetch: typeof fetch = (input, init) =>
  typeof input === 'string' && /\/v1\/inbox\/stream(\?|$)/.test(input) ? stream(input, init) : fetch(input, init);

function stream(url: string, { headers = {}, signal }: RequestInit = {}): Promise<Response> {
  return new Promise((resolve, reject) => {
    const text = new ArrivingText();
    const { request } = text;
    request.open('GET', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, String(value));
    request.onreadystatechange = () => {
      if (request.readyState === HEADERS_RECEIVED) resolve(responseOf(request, text));
      text.arrived();
    };
    request.onload = () => text.end();
    const fail = (): void => {
      const failure = new TypeError('Network request failed');
      text.end(failure);
      reject(failure);
    };
    request.onerror = fail;
    request.onabort = fail;
    if (signal?.aborted === true) return fail();
    signal?.addEventListener('abort', () => request.abort());
    request.send();
  });
}

/** What the store uses of a response. */
function responseOf(request: XMLHttpRequest, text: ArrivingText): Response {
  const { status } = request;
  const response = {
    ok: status >= 200 && status < 300,
    status,
    statusText: '',
    headers: { get: (name: string) => request.getResponseHeader(name) },
    json: async () => JSON.parse(await text.whole()) as unknown,
    body: { getReader: () => text },
  };
  return response as unknown as Response;
}

/** Gives the text of a request in the pieces in which it comes. */
class ArrivingText {
  readonly request = new XMLHttpRequest();
  private length = 0;
  private isEnded = false;
  private failure: Error | undefined;
  private wake: (() => void) | undefined;

  arrived(): void {
    this.wake?.();
  }

  end(failure?: Error): void {
    this.isEnded = true;
    this.failure = failure;
    this.wake?.();
  }

  async read(): Promise<{ done: boolean; value: string }> {
    if (this.length > MAX_TEXT) this.request.abort();
    for (;;) {
      const value = this.request.responseText.slice(this.length);
      this.length += value.length;
      if (this.failure) throw this.failure;
      if (value !== '' || this.isEnded) return { done: value === '', value };
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  async whole(): Promise<string> {
    let whole = '';
    for (let piece = await this.read(); !piece.done; piece = await this.read()) whole += piece.value;
    return whole;
  }

  cancel(): Promise<void> {
    this.request.abort();
    return Promise.resolve();
  }
}
