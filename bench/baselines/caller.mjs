// The lower bound of calls over HTTP: undici with a pool of connections and nothing else. Its parent sends { count, request } and gets { seconds }.
//   node bench/baselines/caller.mjs <port>, with an IPC channel
import { Pool } from 'undici';

/** As many connections as Herald uses for one integration. */
const CONNECTIONS = 40;
/** Of the connection; undici writes them itself. */
const OWN_HEADERS = new Set(['host', 'connection', 'content-length']);
const pool = new Pool(`http://127.0.0.1:${process.argv[2]}`, { connections: CONNECTIONS });

process.once('disconnect', () => process.exit());
process.on('message', async ({ count, request: { method, path, headers, body } }) => {
  const own = Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name)));
  const value = JSON.parse(body);
  const started = performance.now();
  const call = async () => {
    const answer = await pool.request({ method, path, headers: own, body: JSON.stringify(value) });
    const { id } = await answer.body.json();
    if (answer.statusCode !== 200 || id === undefined) throw new Error(`The receiver answered ${answer.statusCode}.`);
  };
  await Promise.all(Array.from({ length: count }, call));
  process.send({ seconds: (performance.now() - started) / 1_000 });
});
process.send('ready');
