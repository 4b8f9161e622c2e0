import { createChannelRegistry } from '../create-channel-registry.js';
import { CHANNELS } from '../core/messages.js';
import { chatAndPushProviderIds, PROVIDER_CATALOGUE, findProvider, missingCredentials } from './catalogue.js';
import { isCatcher } from '../core/caught.js';
import { CREDENTIAL_KEYS, SECRET_CREDENTIAL_KEYS } from '../errors/credential-keys.js';
import type { ProviderDeclaration } from '../core/declaration.js';

/** Those of the interface; there may be others. */
const IDS = {
  in_app: 'novu',
  email:
    'emailjs mailgun mailjet mandrill nodemailer postmark sendgrid sendinblue ses netcore infobip-email resend plunk mailersend mailtrap clickatell outlook365 novu-email sparkpost email-webhook braze',
  sms: 'nexmo plivo sms77 sms-central sns telnyx twilio gupshup firetext infobip-sms burst-sms bulk-sms isend-sms clickatell forty-six-elks kannel maqsam termii africas-talking novu-sms sendchamp generic-sms clicksend bandwidth messagebird simpletexting azure-sms ring-central brevo-sms eazy-sms mobishastra',
  chat: 'slack discord msteams mattermost ryver zulip grafana-on-call getstream rocket-chat whatsapp-business',
  push: 'fcm apns expo one-signal pushpad push-webhook pusher-beams',
};

describe('PROVIDER_CATALOGUE', () => {
  it.each(CHANNELS)('should know every provider id of %s', (channel) => {
    const ids = PROVIDER_CATALOGUE.filter((declaration) => declaration.channel === channel).map(({ id }) => id);
    expect(IDS[channel].split(' ').filter((id) => !ids.includes(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('should declare only keys that an integration can carry, each once, with its type', () => {
    const byType = {
      string: CREDENTIAL_KEYS.strings,
      'number-string': CREDENTIAL_KEYS.strings,
      boolean: CREDENTIAL_KEYS.booleans,
      object: CREDENTIAL_KEYS.objects,
    } as Record<string, readonly string[]>;
    for (const { id, credentials } of PROVIDER_CATALOGUE) {
      const keys = credentials.map(({ key }) => key);
      expect([id, new Set(keys).size]).toEqual([id, keys.length]);
      for (const { key, type, secret } of credentials) {
        expect([id, key, byType[type]?.includes(key)]).toEqual([id, key, true]);
        expect([id, key, secret]).toEqual([id, key, SECRET_CREDENTIAL_KEYS.includes(key)]);
      }
    }
  });

  it('should give forms a label for each key, once, and presets that its keys take', () => {
    for (const { id, credentials, presets = [] } of PROVIDER_CATALOGUE) {
      const labels = credentials.map(({ label }) => label);
      expect([id, labels.filter((label, place) => label === '' || labels.indexOf(label) !== place)]).toEqual([id, []]);
      const keys = credentials.map(({ key }) => key);
      for (const { credentials: given } of presets) {
        expect(Object.keys(given).filter((key) => !keys.includes(key))).toEqual([]);
      }
      expect(credentials.filter(({ required, rare }) => required && rare === true)).toEqual([]);
    }
  });

  it('should call credentials in all texts as forms call them, not by their keys', () => {
    const found = PROVIDER_CATALOGUE.flatMap(({ id, channel, credentials, note = '', setup = [] }) => {
      const own = credentials.flatMap(({ label, description, where = '' }) => [label, description, where]);
      const words = new Set([note, ...setup, ...own].flatMap((text) => text.match(/[`<]?\b[a-zA-Z]+\b[`>]?/g) ?? []));
      // A key such as `user` is an ordinary word as well.
      const names = credentials.flatMap(({ key }) => [`\`${key}\``, `<${key}>`, ...(/[A-Z]/.test(key) ? [key] : [])]);
      return names.filter((name) => words.has(name)).map((name) => `${channel} ${id}: ${name}`);
    });
    expect(found).toEqual([]);
  });

  it('should say where the secrets of the most used stand, and call them by their names of today', () => {
    const used = 'sendgrid mailgun postmark resend ses mailjet sendinblue mailersend mandrill sparkpost'.split(' ');
    const others = 'twilio nexmo telnyx plivo sns messagebird infobip-sms slack-app telegram whatsapp-business'.split(
      ' ',
    );
    for (const id of [...used, ...others, 'fcm', 'apns', 'expo', 'one-signal']) {
      const secrets = declarationOf(id).credentials.filter(({ secret, required }) => secret && required);
      expect([id, secrets.filter(({ where }) => where === undefined)]).toEqual([id, []]);
    }
    const names = ['sendinblue', 'nexmo', 'sms77', 'msteams'].map((id) => declarationOf(id).displayName);
    expect(names).toEqual(['Brevo', 'Vonage (Nexmo)', 'seven (sms77)', 'Microsoft Teams']);
  });

  it('should give documentation and abilities for everything that is implemented and sends', () => {
    const bare = PROVIDER_CATALOGUE.filter(
      ({ id, state, docs, channel }) =>
        state === 'implemented' && channel !== 'in_app' && !isCatcher(id) && !docs?.startsWith('https://'),
    );
    expect(bare.map(({ id }) => id)).toEqual([]);
  });
});

describe('declarations and adapters', () => {
  const registry = createChannelRegistry({ allowPrivateUrls: false });
  afterAll(() => registry.close());
  const sending = PROVIDER_CATALOGUE.filter(({ channel }) => channel !== 'in_app');

  it('should have an adapter exactly for what is declared as implemented', () => {
    const declared = sending
      .filter(({ state }) => state === 'implemented')
      .map(({ id, channel }) => `${channel}:${id}`);
    expect(
      registry
        .list()
        .map(({ id, channel }) => `${channel}:${id}`)
        .sort(),
    ).toEqual(declared.sort());
  });

  it.each(sending.map((declaration) => ({ declaration, id: declaration.id })))(
    'should declare the check and the callbacks of $id as they are',
    ({ declaration }) => {
      const provider = registry.get(declaration.channel, declaration.id);
      expect(provider?.check !== undefined).toBe(declaration.supports.check === true);
      expect(provider?.callback !== undefined).toBe(declaration.supports.callbacks === true);
      expect(provider?.buttons !== undefined).toBe(declaration.supports.buttons === true);
    },
  );
});

describe('findProvider', () => {
  it('should find by id and channel', () => {
    expect(findProvider('clickatell', 'sms')?.credentials.map(({ key }) => key)).toEqual(['apiKey']);
    expect(findProvider('sendgrid')?.displayName).toBe('SendGrid');
  });

  it('should not find an id in another channel', () => {
    expect(findProvider('sendgrid', 'sms')).toBeUndefined();
  });
});

describe('chatAndPushProviderIds', () => {
  it('should follow the contract and end with whatsapp-business', () => {
    const contract =
      'slack discord msteams mattermost ryver zulip grafana-on-call getstream rocket-chat fcm apns expo one-signal pushpad push-webhook pusher-beams whatsapp-business';
    const known = new Set(contract.split(' '));
    expect(
      chatAndPushProviderIds()
        .filter((id) => known.has(id))
        .join(' '),
    ).toBe(contract);
    expect(chatAndPushProviderIds().at(-1)).toBe('whatsapp-business');
  });
});

function declarationOf(id: string): ProviderDeclaration {
  const declaration = findProvider(id);
  if (!declaration) throw new Error(`no ${id}`);
  return declaration;
}

const smtp = { host: 'localhost', port: '25', from: 'a@b.example', senderName: 'A' };

describe('missingCredentials', () => {
  it.each([
    ['nodemailer', smtp],
    ['nodemailer', { ...smtp, secure: false, tlsOptions: {}, user: null, unknownKey: 5 }],
    ['discord', {}],
  ])('should find nothing wrong with complete credentials of %s', (id, credentials) => {
    expect(missingCredentials(declarationOf(id), credentials)).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    [
      'an absent key',
      { ...smtp, host: undefined },
      ['credentials.host is required (Host name or address of the server)'],
    ],
    ['an empty string', { ...smtp, host: '  ' }, ['credentials.host is required (Host name or address of the server)']],
    ['a number for a string', { ...smtp, host: 5 }, ['credentials.host must be a string']],
    ['a number for a port', { ...smtp, port: 25 }, ['credentials.port must be a whole number written as a string']],
    ['a word for a port', { ...smtp, port: 'smtp' }, ['credentials.port must be a whole number written as a string']],
    ['a string for a boolean', { ...smtp, secure: 'true' }, ['credentials.secure must be true or false']],
    ['an array for an object', { ...smtp, tlsOptions: [] }, ['credentials.tlsOptions must be an object']],
  ])('should name %s', (_name, credentials, faults) => {
    expect(missingCredentials(declarationOf('nodemailer'), credentials)).toEqual(faults);
  });

  it('should list every fault at once', () => {
    const faults = missingCredentials(declarationOf('twilio'), {});
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
      'credentials.accountSid',
      'credentials.token',
      'credentials.from',
    ]);
  });

  it('should not take inherited properties for credentials', () => {
    expect(
      missingCredentials(declarationOf('sendgrid'), Object.create({ apiKey: 'x' }) as Record<string, unknown>),
    ).toContainEqual(expect.stringContaining('credentials.apiKey'));
  });

  it('should require a key unless another one is given', () => {
    const outlook = declarationOf('outlook365');
    const sender = { from: 'a@b.example', senderName: 'A' };
    expect(missingCredentials(outlook, { ...sender, password: 'p' })).toEqual([]);
    expect(missingCredentials(outlook, { ...sender, clientId: 'c' })).toEqual([]);
    expect(missingCredentials(outlook, sender)).toEqual([
      expect.stringMatching(/^credentials\.password is required .* unless credentials\.clientId is given$/),
    ]);
  });
});
