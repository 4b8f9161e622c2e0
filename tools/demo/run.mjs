import { createWatch } from './arrivals.mjs';
import { startCatchers } from './catchers/index.mjs';
import { CHAPTERS } from './chapters/index.mjs';
import { createClient, DemoFailure } from './client.mjs';
import { findHerald } from './herald.mjs';
import { createPrinter } from './printer.mjs';

const USAGE = `Usage: npm run demo [-- --json] [--full]

  --json   one JSON line for each request with its answer, and for each arrival
  --full   answers with every field

Starts a Herald of its own with its data in a temporary folder. With HERALD_URL and HERALD_API_KEY it uses a running one,
which must be on this machine: mail, chat and push go to catchers on 127.0.0.1. Exit code 1: something expected did not
happen or did not arrive.`;

const options = new Set(process.argv.slice(2));
const unknown = [...options].filter((option) => !['--json', '--full', '--help'].includes(option));
if (unknown.length > 0 || options.has('--help')) {
  console.error(unknown.length > 0 ? `'${unknown.join(' ')}' is not understood.\n\n${USAGE}` : USAGE);
  process.exit(unknown.length > 0 ? 2 : 0);
}

const printer = createPrinter({ json: options.has('--json'), full: options.has('--full'), out: process.stdout });
let herald;
let catchers;
let client;
let stopping = false;
const told = { run: Date.now().toString(36), integrations: [] };
for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
  process.once(signal, () => void stop(code));
}
// Who reads has seen enough, as `head` and a pager that is left: nothing may stay behind.
process.stdout.on('error', () => void stop(0));
try {
  catchers = await startCatchers();
  herald = await findHerald(process.env);
  printer.begin(herald);
  client = createClient(herald, printer);
  const watch = createWatch([catchers.mail, catchers.http], printer);
  Object.assign(told, { catchers, mayRefuse: !herald.isOwn });
  for (const chapter of CHAPTERS) {
    printer.chapter(chapter);
    await chapter.tell({ ...client, ...watch }, told);
  }
  watch.assertNothingElse();
  printer.end({ ...client.summary(), arrivals: watch.arrivals() });
  await stop(0);
} catch (error) {
  printer.failed(error instanceof DemoFailure ? error.message : (error.stack ?? String(error)));
  await stop(1);
}

async function stop(code) {
  if (stopping) return;
  stopping = true;
  // The catchers end with the demo; a Herald that runs on must not be left with integrations that lead there.
  if (herald?.isOwn === false)
    await Promise.all(told.integrations.map((id) => client.remove(`/v1/integrations/${id}`)));
  await herald?.stop();
  await catchers?.close();
  process.exit(code);
}
