import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { addImport, addToList, argumentsOf, setArgument } from './edit.mjs';
import { assertKebab, fillIn, formsOf, UsageError } from './names.mjs';

/** What differs by channel: the list in the channel's index, new credentials, and what the written adapter can do. */
const CHANNELS = {
  email: {
    list: 'createEmailProviders',
    keys: 'apiKey* from* senderName*',
    supports: '{ attachments: true, copies: true }',
  },
  sms: { list: 'createSmsProviders', keys: 'apiKey* from*', supports: '{}' },
  chat: { list: 'CHAT_PROVIDERS', keys: '', supports: '{}' },
  push: { list: 'createPushProviders', keys: 'apiKey*', supports: '{ batch: true }' },
};
const SENDER_KEYS = ['from', 'senderName'];
/** The argument of a declaration that says what is implemented, or why nothing is. */
const EXTRAS_AT = 4;

/**
 * Writes a provider that takes one HTTP call, its spec, and its declaration where it has none or is not implemented.
 * @param options.docs where the provider documents its API
 * @param options.base URL of the API; chat providers have none, since each subscriber has a webhook
 * @returns the paths that were written
 */
export function addChannel(tree, channel, id, { docs, base = '', name = id } = {}) {
  if (!(channel in CHANNELS)) throw new UsageError(`The channel must be one of ${Object.keys(CHANNELS).join(', ')}.`);
  assertKebab(id, 'A provider id');
  assertUrl(docs, '--docs');
  if (channel !== 'chat') assertUrl(base, '--base');
  const { list, keys, supports } = CHANNELS[channel];
  const catalogue = `libs/channels/src/catalogue/${channel}.ts`;
  const declared = argumentsOf(tree.read(catalogue), 'declare', id);
  if (declared?.[EXTRAS_AT]?.includes('supports')) throw new UsageError(`'${id}' is already implemented.`);

  const required = requiredOf(declared === undefined ? keys : declared[3].slice(1, -1));
  const key = required.find((word) => !SENDER_KEYS.includes(word));
  if (key === undefined && channel !== 'chat') {
    throw new UsageError(
      `'${id}' is declared without a required credential in ${catalogue}: name its keys there first.`,
    );
  }
  const credentials = JSON.stringify(Object.fromEntries(required.map((word) => [word, `${word}-secret`])));
  const forms = { ...formsOf(id), base, key, credentials };
  const folder = `libs/channels/src/providers/${channel}`;
  tree.create(`${folder}/${id}.ts`, filled(`${channel}.ts`, forms));
  tree.create(`${folder}/${id}.spec.ts`, filled(`${channel}.spec.ts`, forms));
  tree.edit(`${folder}/index.ts`, (text) =>
    addToList(addImport(text, { name: forms.name, from: `./${id}.js` }), list, forms.name),
  );
  const extras = `{ supports: ${supports}, docs: ${JSON.stringify(docs)} }`;
  tree.edit(catalogue, (text) =>
    declared === undefined
      ? addToList(
          text,
          `${channel.toUpperCase()}_DECLARATIONS`,
          `declare('${channel}', '${id}', ${JSON.stringify(name)}, '${keys}', ${extras})`,
        )
      : setArgument(text, 'declare', id, EXTRAS_AT, extras),
  );
  return tree.write();
}

function filled(template, forms) {
  return fillIn(readFileSync(fileURLToPath(new URL(`./channel/${template}.tpl`, import.meta.url)), 'utf8'), forms);
}

const requiredOf = (keys) =>
  keys
    .replace('${SENDER}', SENDER_KEYS.map((word) => `${word}*`).join(' '))
    .split(' ')
    .filter((word) => word.endsWith('*'))
    .map((word) => word.slice(0, -1));

function assertUrl(value, option) {
  if (value !== undefined && /^https:\/\/[\w.-]+(\/\S*)?$/.test(value)) return;
  throw new UsageError(`${option} must be an https URL.`);
}
