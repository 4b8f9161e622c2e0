import type { Server, ServerResponse } from 'node:http';

/**
 * Lets a server end while its clients keep their connections: once the returned function was called, each answer, also
 * of a request that is under way, is the last one of its connection. Otherwise a busy client would go on over the
 * connection that it has, and a quiet one would hold the server open, or be cut off in the middle of a request.
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
