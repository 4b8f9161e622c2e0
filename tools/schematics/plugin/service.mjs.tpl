import { createServer } from 'node:http';

/** A service that keeps the requests that it gets. */
export class Service {
  requests = [];
  /** What it answers next, in place of its usual answer: a status and perhaps a body. */
  answers = [];
  #server = createServer((request, response) => void this.#answer(request, response));

  constructor(usualBody) {
    this.usualBody = usualBody;
  }

  async open() {
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  reset() {
    this.requests.length = 0;
    this.answers.length = 0;
  }

  async #answer(request, response) {
    const { method, url, headers } = request;
    let text = '';
    for await (const chunk of request) text += chunk;
    this.requests.push({ method, url, headers, body: text === '' ? undefined : JSON.parse(text) });
    const { status = 200, body = this.usualBody } = this.answers.shift() ?? {};
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }
}
