import { parseArgs } from 'node:util';
import { DISCORD_PATH, startCatchers } from './catchers.mjs';

// Catches mail and chat messages on this machine and prints them, for trying things out

const COMMAND = `${process.env.HERALD_COMMAND ?? 'npm run herald --'} catch`;
const USAGE = `Usage: ${COMMAND} [--mail <port>] [--chat <port>] [--html]

Receives email (SMTP) and chat messages (Discord webhooks) on this machine and prints them until it is interrupted.

  --mail <port>   SMTP port (default: 2525)
  --chat <port>   port for chat messages (default: 2580)
  --html          also print the HTML of emails`;

const { mail: mailPort, chat: chatPort, html: hasHtml } = optionsIn(process.argv.slice(2));
const ports = { mail: Number(mailPort), http: Number(chatPort) };
const { mail, http } = await startCatchers({ ports, onArrival: print, hasHtml }).catch((error) => {
  console.error(`${error.message}. Use other ports: ${COMMAND} --mail 2526 --chat 2581`);
  process.exit(1);
});
console.log(`Mail  host 127.0.0.1, port ${mail.port}`);
console.log(`Chat  ${http.url}${DISCORD_PATH} (as Discord's webhooks)`);

function print(kind, message) {
  if (kind === 'mail') {
    const { to, from, subject, text, html, attachments = [] } = message;
    const files = attachments.map((name) => `\nAttachment: ${name}`).join('');
    show(`\nMAIL to ${to} from ${from}\nSubject: ${subject}\n${text}${files}`);
    if (html) show(`HTML: ${html.trim()}`);
  } else {
    show(`\nCHAT ${message.body.content ?? JSON.stringify(message.body)}`);
  }
}

/** Escape sequences of a message are shown, not obeyed. */
function show(text) {
  // eslint-disable-next-line no-control-regex -- these are what is replaced
  const isControl = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
  console.log(text.replace(isControl, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`));
}

function optionsIn(args) {
  const options = {
    mail: { type: 'string', default: '2525' },
    chat: { type: 'string', default: '2580' },
    html: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  };
  try {
    const { values } = parseArgs({ args, options });
    if (!values.help) return values;
    console.log(USAGE);
    process.exit(0);
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`);
    process.exit(2);
  }
}
