import { parseArgs } from 'node:util';
import { DISCORD_PATH, startCatchers } from './catchers.mjs';

// Catches mail and chat messages on this machine and prints them, for trying things out: npm run catch

const { values } = parseArgs({
  options: { mail: { type: 'string', default: '2525' }, chat: { type: 'string', default: '2580' } },
});
const ports = { mail: Number(values.mail), http: Number(values.chat) };
const { mail, http } = await startCatchers({ ports, onArrival: print }).catch((error) => {
  console.error(`${error.message}. Choose other ports: npm run catch -- --mail 2526 --chat 2581`);
  process.exit(1);
});
console.log(`Mail  host 127.0.0.1, port ${mail.port}`);
console.log(`Chat  ${http.url}${DISCORD_PATH} (as Discord's webhooks)`);

function print(kind, message) {
  if (kind === 'mail') {
    const { to, from, subject, text, attachments = [] } = message;
    const files = attachments.map((name) => `\nAttachment: ${name}`).join('');
    console.log(`\nMAIL to ${to} from ${from}\nSubject: ${subject}\n${text}${files}`);
  } else {
    console.log(`\nCHAT ${message.body.content ?? JSON.stringify(message.body)}`);
  }
}
