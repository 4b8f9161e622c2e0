import { CALLBACK_ROWS } from '../providers/callbacks.mjs';
import { ROWS } from '../providers/table.mjs';
import { providerExample } from './provider-examples.mjs';

const FOLDER = 'docs/providers/';
const TITLES = { in_app: 'In-app', email: 'Email', sms: 'SMS', chat: 'Chat', push: 'Push' };
/** The form of the console, as `node tools/docs/guide-pictures.mjs` fills it in. */
const PICTURES = ['sendgrid', 'twilio', 'slack'];
const FEATURES = {
  attachments: 'attachments',
  copies: 'cc, bcc, reply-to and headers',
  check: 'live check',
  callbacks: 'callbacks',
  idempotency: 'idempotency key',
  invalidTokens: 'invalid tokens reported',
  batch: 'several targets in one request',
  receipts: 'receipts of each token, fetched later',
  inline: 'images inside the mail',
  customData: 'custom data',
  ipPools: 'IP pools',
  perToken: 'a message and an outcome for each token',
  userUrl: 'URL entered by users, checked',
  replaces: 'replacing a message',
  threads: 'threads',
  links: 'a link that connects a person',
  buttons: 'buttons that answer questions',
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

/** They have no account to be tried with. */
const isOwn = ({ id, channel }) => channel === 'in_app' || id.startsWith('catcher-');

function tested({ id, state, supports }) {
  if (state !== 'implemented') return 'not implemented, so not tested';
  const judge = CALLBACK_ROWS.find((row) => row.id === id)?.library;
  const judged = judge === undefined ? '' : `, which \`${judge}\` judges in the same way`;
  const more = supports.callbacks ? `; callbacks with good, changed and missing signatures${judged}` : '';
  return `${TESTS[id] ?? (id.startsWith('catcher-') ? TESTS.novu : HTTP_TEST)}${more}`;
}

const rowOf = ({ id, channel }) => ROWS.find((row) => row.id === id && row.channel === channel);

/** What its requests are compared with: the library of its maker, and a specification with its date. */
function checkedAgainst(declaration) {
  const { library, specification } = rowOf(declaration) ?? {};
  return [
    ...(library === undefined ? [] : [`\`${library}\``]),
    ...(specification === undefined ? [] : [`the specification of ${specification.date}`]),
  ];
}

/** The same in words, with what is not compared and why, and where requests are others. */
function comparisonText(declaration) {
  const row = rowOf(declaration);
  if (row === undefined) return '';
  if (row.unchecked !== undefined) return `Its requests are not compared with those of its maker: ${row.unchecked}.`;
  const notes = (values = {}) => Object.entries(values).map(([key, reason]) => `- \`${key}\`: ${inCell(reason)}`);
  const differs = notes({ ...row.specification?.differs, ...row.differs });
  const without = notes(row.without);
  return [
    `\`npm run test:providers\` compares its requests with ${checkedAgainst(declaration).join(' and ')}.`,
    ...(differs.length > 0 ? [`They differ, for a reason, in:\n\n${differs.join('\n')}`] : []),
    ...(without.length > 0 ? [`These messages are not compared:\n\n${without.join('\n')}`] : []),
  ].join('\n\n');
}

const inCell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '\\<');

const meaning = (description, where) => (where === undefined ? description : `${description}. ${where}`);

function credentialTable(credentials) {
  if (credentials.length === 0) return 'The integration has no credentials.';
  const rows = credentials.map(
    ({ key, type, required, secret, label, description, where }) =>
      `| ${inCell(label)} | \`${key}\` | ${type} | ${required ? 'yes' : ''} | ${secret ? 'yes' : ''} | ${inCell(meaning(description, where))} |`,
  );
  return [
    '| In forms | Key | Type | Required | Secret | Meaning |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function ownFieldsText({ id, ownFields }) {
  const key = `\`overrides.${id}\``;
  if (ownFields === undefined) return `It takes no further fields in ${key}.`;
  if (ownFields.only) return `Fields in ${key}: ${ownFields.only.map((name) => `\`${name}\``).join(', ')}.`;
  return `Further fields of ${key} go into the request unchanged.`;
}

function storedText({ data, names }) {
  const keys = Object.entries(data).map(([key, place]) => `\`${key}\` (\`${place}\`)`);
  return `A stored template is sent when the override has ${names.map((name) => `\`${name}\``).join(' or ')}. In \`customData\`: ${keys.join(', ')}.`;
}

const limitText = ({ most, unit }) =>
  `A text of more than ${most.toLocaleString('en')} ${unit} is refused before the call, not cut.`;

function providerPage(declaration) {
  const {
    id,
    channel,
    displayName,
    credentials,
    docs,
    note,
    setup = [],
    supports,
    storedTemplate,
    limit,
  } = declaration;
  const features = Object.keys(FEATURES).filter((name) => supports[name] === true);
  const facts = [
    `Channel: ${TITLES[channel]}. Provider id: \`${id}\`.`,
    ...(features.length > 0 ? [`Supports: ${features.map((name) => FEATURES[name]).join(', ')}.`] : []),
    ...(channel === 'in_app' || isOwn(declaration) || declaration.state !== 'implemented'
      ? []
      : [ownFieldsText(declaration)]),
    ...(storedTemplate ? [storedText(storedTemplate)] : []),
    ...(limit ? [limitText(limit)] : []),
    ...(docs ? [`Documentation of the provider: <${docs}>`] : []),
  ];
  const isChecked = supports.check === true;
  return `# ${displayName}

${facts.map((fact) => `- ${fact}`).join('\n')}

${note ?? ''}

## Credentials

${credentialTable(credentials)}

${setup.length > 0 ? `## Before you begin\n\n${setup.map((step, place) => `${place + 1}. ${step}`).join('\n')}\n` : ''}
## Connect it
${PICTURES.includes(id) ? `\n![The form of ${displayName} on the page Integrations of the console](../images/${id}.png)\n` : ''}
${providerExample(declaration)}

${isChecked ? 'To check the credentials without sending anything: `POST /v1/integrations/{integrationId}/check`, or **Check** on the page Integrations of the [console](../manual/console.md).' : 'To try it, send a test message from the [console](../manual/console.md).'}

What happens after an error, and when a message may have been sent twice: [Delivery outcomes](../delivery-outcomes.md).

## How it is tested

Tested ${tested(declaration)}.${isOwn(declaration) ? '' : ' Not yet tried with a live account.'}

${comparisonText(declaration)}
`;
}

function channelSection(channel, catalogue) {
  const all = catalogue.filter((one) => one.channel === channel);
  const ready = all.filter(({ state }) => state === 'implemented');
  const rest = all.filter(({ state }) => state !== 'implemented').map(({ id }) => `\`${id}\``);
  const rows = ready.map((declaration) => {
    const { id, displayName, supports } = declaration;
    const features = Object.keys(FEATURES).filter((name) => supports[name] === true);
    const checked = checkedAgainst(declaration).join(', ') || (isOwn(declaration) ? '' : 'nothing');
    return `| [${displayName}](providers/${id}.md) | \`${id}\` | ${features.map((name) => FEATURES[name]).join(', ')} | ${checked} |`;
  });
  const table = ['| Provider | Id | Supports | Checked against |', '| --- | --- | --- | --- |', ...rows].join('\n');
  const later = rest.length > 0 ? `\n\nStored, but not sent through (catalogue only): ${rest.join(', ')}.` : '';
  return `## ${TITLES[channel]}\n\n${table}${later}`;
}

function overviewPage({ PROVIDER_CATALOGUE: catalogue, CHANNELS: channels }) {
  const byName = [...catalogue].sort((a, b) => a.displayName.localeCompare(b.displayName, 'en'));
  return `# Providers

An integration connects a channel with a provider. Each provider has a page with its credentials and a complete example.
Providers that are not listed can be added by a [plugin](manual/plugins.md).

${channels.map((channel) => channelSection(channel, byName)).join('\n\n')}

## How they are tested

The adapters follow the public documentation that each page links to, and are tested against local servers. None was tried with a live
account yet. \`npm run test:providers\` sends the same messages through Herald and through the library of a provider's maker, and compares the
requests; where there is a specification, it is read as well. The column says which library, or the date of the specification. Differences
have their reason on the page of the provider, and so has each that nothing could be compared with. Which failures leave open whether a message was sent: [Delivery outcomes](delivery-outcomes.md).
`;
}

/**
 * docs/providers.md, and a page for each provider, from the declarations of the built library.
 * @returns Markdown by path
 */
export function providerPages(library) {
  const ready = library.PROVIDER_CATALOGUE.filter(({ state }) => state === 'implemented');
  return new Map([
    ['docs/providers.md', overviewPage(library)],
    ...ready.map((declaration) => [`${FOLDER}${declaration.id}.md`, providerPage(declaration)]),
  ]);
}
