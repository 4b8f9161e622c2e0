import { createServer } from 'node:http';

/** A ticket system that opens one ticket for each Idempotency-Key. */
export class TicketSystem {
  calls = [];
  tickets = new Map();
  /** What it does with the next calls: a status to answer, or `hang`. */
  faults = [];
  #server = createServer((request, response) => void this.#answer(request, response));

  async open() {
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  forget() {
    this.calls = [];
    this.tickets.clear();
    this.faults = [];
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request, response) {
    let text = '';
    for await (const chunk of request) text += chunk;
    const key = request.headers['idempotency-key'];
    this.calls.push(key);
    const fault = this.faults.shift();
    if (typeof fault === 'number') return void response.writeHead(fault).end();
    if (!this.tickets.has(key)) this.tickets.set(key, { id: this.tickets.size + 1, ...JSON.parse(text) });
    // The ticket is open, and the caller never learns of it.
    if (fault === 'hang') return;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(this.tickets.get(key)));
  }
}
