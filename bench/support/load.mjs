// Sends requests over HTTP from a separate process, so that the service has a core to itself.
// Its parent sends: { url, apiKey, requests: [{ method, path, body }], concurrency }.
import { Agent, request } from 'undici';

process.on('message', async ({ url, apiKey, bodies, path, concurrency }) => {
  const dispatcher = new Agent({ connections: concurrency });
  const headers = { authorization: `ApiKey ${apiKey}`, 'content-type': 'application/json' };
  const latencies = [];
  let next = 0;
  let failures = 0;
  const worker = async () => {
    while (next < bodies.length) {
      const body = JSON.stringify(bodies[next++]);
      const started = performance.now();
      const answer = await request(url + path, { method: 'POST', headers, body, dispatcher });
      await answer.body.text();
      if (answer.statusCode !== 201) failures += 1;
      latencies.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  await dispatcher.close();
  process.send({ latencies, failures }, () => process.disconnect());
});
