import { createServer } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/**
 * Postmark and Twilio on this machine. Tests decide what each answers.
 * @returns {Promise<{ settings: object, sent: object[], answers: object, close(): Promise<void> }>}
 */
export async function startProviders() {
  const sent = [];
  let ids = 0;
  const answers = {
    postmark: () => [200, { ErrorCode: 0, MessageID: `pm-${++ids}`, SubmittedAt: new Date().toISOString() }],
    twilio: () => [201, { sid: `SM${++ids}`, status: 'queued' }],
  };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const provider = request.url.split('/')[1];
      const message = provider === 'twilio' ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body || '{}');
      const answer = answers[provider](message);
      if (answer === 'cut') return request.socket.destroy();
      const [status, json] = answer;
      if (status < 300) sent.push({ provider, to: message.To, message });
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}`;
  return {
    settings: { PROVIDER_BASE_URLS: `postmark=${url}/postmark,twilio=${url}/twilio` },
    sent,
    answers,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
