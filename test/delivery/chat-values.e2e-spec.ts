import { dataOf } from '../support/answers.js';
import { createWorkflow, messagesOf, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { json, useProviderSink } from '../support/provider-sink.js';
import { useSession } from '../support/test-api.js';

const CONTENT = '<!here> <https://shop.example|Shop>: hello {{subscriber.firstName}} @here {{{trusted}}}';
const PAYLOAD = { trusted: '<@U1>' };

describe('values in chat messages', () => {
  const delivery = useDeliveryApi('chat_values');
  const session = useSession(delivery.api);
  const sink = useProviderSink();

  /** What the provider gets, and what is stored of it. */
  async function sent(
    providerId: 'slack' | 'discord' | 'msteams',
    content = CONTENT,
    templateLanguage: 'handlebars' | 'liquid' = 'handlebars',
  ): Promise<{ readonly body: Record<string, unknown>; readonly stored: unknown }> {
    sink.answer = json(200, { id: '1' });
    const body = { providerId, channel: 'chat', active: true, check: false, credentials: {} };
    await session.post('/v1/integrations', body).expect(201);
    const { identifier } = await createWorkflow(session, [{ template: { type: 'chat', content } }], {
      templateLanguage,
    });
    const channels = [{ providerId, credentials: { webhookUrl: `${sink.url}/hook` } }];
    const to = { subscriberId: 'ada', firstName: '<!channel> & @everyone', channels };
    const transactionId = await trigger(session, { name: identifier, to, payload: PAYLOAD });
    await delivery.drain();
    const [message] = await messagesOf(session, transactionId);
    return {
      body: JSON.parse(sink.requests.at(-1)?.body ?? '{}') as Record<string, unknown>,
      stored: message?.content,
    };
  }

  it('should be text for Slack, beside markup of the author', async () => {
    const text = '<!here> <https://shop.example|Shop>: hello &lt;!channel&gt; &amp; @everyone @here <@U1>';
    const { body, stored } = await sent('slack');
    expect(body).toMatchObject({ text });
    expect(stored).toBe(text);
  });

  it('should be text in Liquid as well', async () => {
    const { body } = await sent('slack', '<!here> {{ subscriber.firstName }} {{ trusted | raw }}', 'liquid');
    expect(body).toMatchObject({ text: '<!here> &lt;!channel&gt; &amp; @everyone <@U1>' });
  });

  it('should mention nobody in Discord, as the author can', async () => {
    const { body } = await sent('discord');
    expect(body).toMatchObject({
      content: '<!here> <https://shop.example|Shop>: hello <\u200b!channel> & @\u200beveryone @here <@U1>',
    });
  });

  it('should be as they are where they are text anyway, and in what is previewed', async () => {
    const shown = '<!here> <https://shop.example|Shop>: hello <!channel> & @everyone @here <@U1>';
    const { body, stored } = await sent('msteams');
    expect(JSON.stringify(body)).toContain(JSON.stringify(shown).slice(1, -1));
    expect(stored).toBe(shown);
    const { _id, steps } = await createWorkflow(session, [{ template: { type: 'chat', content: CONTENT } }]);
    const path = `/v1/workflows/${_id}/steps/${String(steps[0]?._id)}/preview`;
    const preview = { subscriber: { subscriberId: 'ada', firstName: '<!channel> & @everyone' }, payload: PAYLOAD };
    expect(await dataOf(session.post(path, preview), 200)).toMatchObject({ content: shown });
  });
});
