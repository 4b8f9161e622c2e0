// Generates docs/providers.md from the declarations of the built library. `--check` only compares.
import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { ensureBuilt } from './build.mjs';

const root = new URL('../', import.meta.url);
const target = new URL('docs/providers.md', root);
const TITLES = { in_app: 'In-app', email: 'Email', sms: 'SMS', chat: 'Chat', push: 'Push' };
const FEATURES = {
  attachments: 'attachments',
  copies: 'cc, bcc, reply-to and headers',
  check: 'live check',
  callbacks: 'status callbacks',
  idempotency: 'idempotency key',
  invalidTokens: 'invalid tokens reported',
  batch: 'several targets in one request',
  perToken: 'a message and an outcome for each token',
  userUrl: 'URL entered by users, checked',
};
const HTTP_TEST =
  'against a local recording server: exact request, success, error answers (400, 401, 429 with Retry-After, 5xx), answers without an id, interrupted connections, timeouts';
const SMTP_TEST =
  'against a real SMTP server on loopback: delivery, TLS, login, 4xx and 5xx replies, closed port, timeouts, connections lost before and after the final dot';
const TESTS = {
  nodemailer: `${SMTP_TEST}, DKIM, attachments`,
  outlook365: 'against a real SMTP server on loopback: required STARTTLS, login; otherwise as Custom SMTP',
  apns: 'against a local HTTP/2 server: request, token, every kind of answer, timeouts, lost connections',
  novu: 'with the delivery engine',
};

function tested({ id, state, supports }) {
  if (state !== 'implemented') return 'not implemented, so not tested';
  const more = supports.callbacks ? '; callbacks with good, changed and missing signatures' : '';
  return `${TESTS[id] ?? HTTP_TEST}${more}`;
}

function credentialTable(credentials) {
  if (credentials.length === 0) return 'No credentials.';
  const rows = credentials.map(
    ({ key, type, required, secret, description }) =>
      `| \`${key}\` | ${type} | ${required ? 'yes' : ''} | ${secret ? 'yes' : ''} | ${description.replaceAll('|', '\\|')} |`,
  );
  return ['| Key | Type | Required | Secret | Meaning |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}

function section(declaration) {
  const { id, displayName, credentials, docs, note, state, supports } = declaration;
  const features = Object.keys(FEATURES).filter((name) => supports[name] === true);
  const facts = [
    state === 'implemented'
      ? 'State: implemented.'
      : 'State: catalogue only; it can be stored, but Herald cannot send through it.',
    ...(features.length > 0 ? [`Supports: ${features.map((name) => FEATURES[name]).join(', ')}.`] : []),
    `Tested: ${tested(declaration)}.`,
    ...(note ? [note] : []),
    ...(docs ? [`API: <${docs}>`] : []),
  ];
  return `### ${displayName} (\`${id}\`)\n\n${facts.map((fact) => `- ${fact}`).join('\n')}\n\n${credentialTable(credentials)}\n`;
}

function overview(catalogue, channels) {
  const rows = channels.map((channel) => {
    const all = catalogue.filter((one) => one.channel === channel);
    const ready = all.filter(({ state }) => state === 'implemented');
    const rest = all.filter(({ state }) => state !== 'implemented').map(({ id }) => `\`${id}\``);
    return `| ${TITLES[channel]} | ${ready.length} | ${rest.length} | ${rest.join(', ')} |`;
  });
  return ['| Channel | Implemented | Catalogue only | Which |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function page({ PROVIDER_CATALOGUE: catalogue, CHANNELS: channels }) {
  const byState = (a, b) => a.state.localeCompare(b.state) * -1 || a.displayName.localeCompare(b.displayName, 'en');
  const parts = channels.map((channel) => {
    const sections = catalogue
      .filter((one) => one.channel === channel)
      .sort(byState)
      .map(section);
    return `## ${TITLES[channel]}\n\n${sections.join('\n')}`;
  });
  return `# Providers

Generated from the declarations in \`libs/channels\` by \`npm run docs\`; do not edit.

The adapters follow the public documentation that each entry links to and are tested against local servers; none was tried with
a live account. \`from\` and \`senderName\` are the sender's defaults. Which failures leave open whether a message was sent: [Delivery outcomes](delivery-outcomes.md).

${overview(catalogue, channels)}

${parts.join('\n')}`;
}

ensureBuilt();
const library = await import(new URL('dist/libs/channels/src/index.js', root));
const style = await resolveConfig(new URL('package.json', root));
const text = await format(page(library), { ...style, parser: 'markdown' });
if (!process.argv.includes('--check')) {
  await writeFile(target, text);
} else if ((await readFile(target, 'utf8').catch(() => '')) !== text) {
  console.error('docs/providers.md is out of date; run npm run docs and commit the result.');
  process.exit(1);
}
