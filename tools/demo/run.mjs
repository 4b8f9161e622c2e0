import { CHAPTERS } from './chapters/index.mjs';
import { createClient, DemoFailure } from './client.mjs';
import { findHerald } from './herald.mjs';
import { createPrinter } from './printer.mjs';

const USAGE = `Usage: npm run demo [-- --json] [--full]

  --json   one JSON line for each request and answer
  --full   answers with every field

Starts a Herald of its own with its data in a temporary folder. With HERALD_URL and HERALD_API_KEY it uses a running one.`;

const options = new Set(process.argv.slice(2));
const unknown = [...options].filter((option) => !['--json', '--full', '--help'].includes(option));
if (unknown.length > 0 || options.has('--help')) {
  console.error(unknown.length > 0 ? `'${unknown.join(' ')}' is not understood.\n\n${USAGE}` : USAGE);
  process.exit(unknown.length > 0 ? 2 : 0);
}

const printer = createPrinter({ json: options.has('--json'), full: options.has('--full'), out: process.stdout });
let herald;
process.once('SIGINT', () => void stop(130));
try {
  herald = await findHerald(process.env);
  printer.begin(herald);
  const client = createClient(herald, printer);
  const told = { run: Date.now().toString(36) };
  for (const chapter of CHAPTERS) {
    printer.chapter(chapter);
    await chapter.tell(client, told);
  }
  printer.end(client.summary());
  await stop(0);
} catch (error) {
  printer.failed(error instanceof DemoFailure ? error.message : (error.stack ?? String(error)));
  await stop(1);
}

async function stop(code) {
  await herald?.stop();
  process.exit(code);
}
