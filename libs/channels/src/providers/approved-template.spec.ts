import { createChannelRegistry, type Channel, type OutboundMessage } from '../index.js';
import { CHAT, SMS } from '../../test/provider-case.js';
import { startRecordingServer, type RecordingServer } from '../../test/recording-server.js';

const TO_PHONE = { ...CHAT, phone: '+15550100' };
const TEMPLATE = { name: 'order_shipped', language: 'en_US', parameters: ['Ada', 7] };
const DLT = { entityId: 'entity-1', templateId: 'template-1' };

describe('what networks and laws want to know of a message', () => {
  let server: RecordingServer;

  beforeAll(async () => {
    server = await startRecordingServer();
  });
  beforeEach(() => server.requests.splice(0));
  afterAll(() => server.close());

  /** The path, and the body as an object. */
  async function sent(
    id: string,
    channel: Channel,
    credentials: Record<string, unknown>,
    message: OutboundMessage,
  ): Promise<[string, Record<string, unknown>]> {
    const registry = createChannelRegistry({ allowPrivateUrls: true, baseUrls: { [id]: server.url } });
    server.answer = () => ({ body: {} });
    await registry
      .send(channel, id, message, { credentials, idempotencyKey: 'k' })
      .catch(() => undefined)
      .finally(() => registry.close());
    const { path = '', body = Buffer.alloc(0), headers = {} } = server.requests[0] ?? {};
    const isJson = headers['content-type'] === 'application/json';
    const fields = isJson
      ? (JSON.parse(body.toString()) as object)
      : Object.fromEntries(new URLSearchParams(body.toString()));
    return [path, { ...fields }];
  }

  const meta = (template: object): Promise<[string, Record<string, unknown>]> =>
    sent(
      'whatsapp-business',
      'chat',
      { apiToken: 't', phoneNumberIdentification: '1' },
      { ...TO_PHONE, customData: { template } },
    );

  it('should send an approved template of WhatsApp by its name, language and parameters', async () => {
    const [, body] = await meta(TEMPLATE);
    expect(body).toMatchObject({ type: 'template', to: '15550100' });
    expect(body['template']).toEqual({
      name: 'order_shipped',
      language: { code: 'en_US' },
      components: [
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Ada' },
            { type: 'text', text: '7' },
          ],
        },
      ],
    });
    expect(body).not.toHaveProperty('text');
  });

  it('should name parameters that have names', async () => {
    server.requests.splice(0);
    const [, body] = await meta({ ...TEMPLATE, parameters: { first_name: 'Ada' } });
    expect(body['template']).toMatchObject({
      components: [{ parameters: [{ type: 'text', parameter_name: 'first_name', text: 'Ada' }] }],
    });
  });

  it("should pass on a template in the provider's own words", async () => {
    const own = { name: 'hello', language: { code: 'de' }, components: [{ type: 'header', parameters: [] }] };
    expect((await meta(own))[1]['template']).toEqual(own);
  });

  it('should send the stored content of Twilio instead of the text, to the network of the sender', async () => {
    const credentials = { accountSid: 'AC1', token: 't', from: 'whatsapp:+15550199' };
    const message = { ...SMS, from: '', customData: { template: { name: 'HX1', parameters: ['Ada', '7'] } } };
    const [, body] = await sent('twilio', 'sms', credentials, message);
    expect(body).toEqual({
      To: 'whatsapp:+4915112345678',
      From: 'whatsapp:+15550199',
      ContentSid: 'HX1',
      ContentVariables: '{"1":"Ada","2":"7"}',
    });
  });

  it('should send a template of WhatsApp by the route that Infobip has for it', async () => {
    const credentials = { apiKey: 'k', baseUrl: 'x' };
    const [path, body] = await sent('infobip-sms', 'sms', credentials, { ...SMS, customData: { template: TEMPLATE } });
    expect(path).toBe('/whatsapp/1/message/template');
    expect(body['messages']).toEqual([
      {
        from: SMS.from,
        to: '4915112345678',
        content: {
          templateName: 'order_shipped',
          templateData: { body: { placeholders: ['Ada', '7'] } },
          language: 'en_US',
        },
      },
    ]);
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['nexmo', { apiKey: 'k', secretKey: 's' }, { 'entity-id': 'entity-1', 'content-id': 'template-1' }],
    ['plivo', { accountSid: 'a', token: 't' }, { dlt_entity_id: 'entity-1', dlt_template_id: 'template-1' }],
    ['gupshup', { user: '1', password: 'p' }, { principalEntityId: 'entity-1', dltTemplateId: 'template-1' }],
    [
      'sns',
      { apiKey: 'a', secretKey: 's', region: 'ap-south-1' },
      {
        'MessageAttributes.entry.3.Name': 'AWS.MM.SMS.EntityId',
        'MessageAttributes.entry.3.Value.StringValue': 'entity-1',
        'MessageAttributes.entry.4.Name': 'AWS.MM.SMS.TemplateId',
        'MessageAttributes.entry.4.Value.StringValue': 'template-1',
      },
    ],
    [
      'infobip-sms',
      { apiKey: 'k', baseUrl: 'x' },
      { messages: [{ regional: { indiaDlt: { principalEntityId: 'entity-1', contentTemplateId: 'template-1' } } }] },
    ],
  ])('should tell %s the ids of the registry of India', async (id, credentials, fields) => {
    const [, body] = await sent(id, 'sms', credentials, { ...SMS, customData: { dlt: DLT } });
    expect(body).toMatchObject(fields);
    expect(JSON.stringify(body)).not.toContain('"dlt"');
  });
});
