import type { Server, ServerResponse } from 'node:http';

/**
 * Once the returned function is called, every response closes its connection, also that of a request in flight.
 * Otherwise a busy client would keep its connection, and an idle one would keep the server open or lose a request.
 */
export function lastAnswers(server: Server): () => void {
  const open = new Set<ServerResponse>();
  let closing = false;
  const close = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  server.prependListener('request', (_request, response) => {
    open.add(response);
    response.once('close', () => open.delete(response));
    if (closing) close(response);
  });
  return () => {
    closing = true;
    open.forEach(close);
  };
}
