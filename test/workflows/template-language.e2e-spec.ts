import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { createWorkflow, digest, email, feedOf, inApp, messagesOf, trigger } from '../support/delivery.js';
import { useDelivery, useSession } from '../support/herald.js';

const delivery = useDelivery();
const session = useSession(delivery);

const LIQUID = { templateLanguage: 'liquid' };
/** As the editor of the compatible system writes it. */
const BODY =
  "Hello {{ subscriber.firstName | default: 'there' }}, {% if payload.paid %}paid{% else %}open{% endif %}:" +
  '{% for item in payload.items %} {{ item.name | upcase }}{% unless forloop.last %},{% endunless %}{% endfor %}';

interface Made extends Json {
  _id: string;
  templateLanguage?: string;
  triggers: { variables: Json[] }[];
  steps: Json[];
}

const stored = (identifier: string): Promise<Made> => dataOf(session.get(`/v1/workflows/${identifier}`), 200);

describe('workflows whose templates are Liquid', () => {
  it('should deliver what their templates say, with values as HTML and as text, and note what is missing', async () => {
    const { identifier } = await createWorkflow(
      session,
      [
        {
          template: {
            type: 'in_app',
            subject: '{{ payload.items[0].name }}',
            content: `${BODY}{{ payload.nothing }}`,
            cta: { type: 'redirect', data: { url: '{{ payload.url }}' } },
          },
          filters: [
            { value: 'AND', children: [{ on: 'payload', field: 'paid', operator: 'EQUAL', value: "{{ 'yes' }}" }] },
          ],
        },
      ],
      LIQUID,
    );
    const payload = { paid: 'yes', url: 'java\tscript:alert(1)', items: [{ name: '<b>a</b>' }, { name: 'b' }] };
    const id = await trigger(session, { name: identifier, to: { subscriberId: 'ada', firstName: 'Ada' }, payload });
    await delivery.drain();
    const [message] = await feedOf(session, 'ada');
    expect(message).toMatchObject({
      subject: '<b>a</b>',
      content: 'Hello Ada, paid: &lt;B&gt;A&lt;/B&gt;, B',
      cta: { data: {} },
    });
    const [sent] = await messagesOf(session, id);
    const trail = await dataOf<Json[]>(
      session.get(
        `/v1/execution-details?notificationId=${String((sent as Json | undefined)?.['_notificationId'])}&subscriberId=ada`,
      ),
      200,
    );
    expect(JSON.stringify(trail)).toContain('nothing');
    expect(await stored(identifier)).toMatchObject({
      templateLanguage: 'liquid',
      triggers: [
        {
          variables: [
            { name: 'items.0.name', type: 'String' },
            { name: 'paid', type: 'String' },
            { name: 'items', type: 'Array' },
            { name: 'nothing', type: 'String' },
            { name: 'url', type: 'String' },
          ],
        },
      ],
    });
  });

  it('should render a digest, and mails in layouts, which are Handlebars', async () => {
    const layout = await dataOf<{ _id: string }>(
      session.post('/v1/layouts', {
        name: 'Frame',
        identifier: 'frame',
        content: '<main>{{subject}}|{{{body}}}</main>',
      }),
      201,
    );
    const mail = email('{{ step.total_count }} orders', '<p>{{ payload.name | escape }}</p>', { layoutId: layout._id });
    const { identifier, steps } = await createWorkflow(
      session,
      [
        digest(),
        inApp("{{ step.events | toSentence: 'name' }} {{ step.events | pluralize: 'order', 'orders' }}"),
        mail,
      ],
      LIQUID,
    );
    for (const name of ['A', 'B', 'C']) await trigger(session, { name: identifier, to: 'bea', payload: { name } });
    await delivery.drain(600_000);
    expect((await feedOf(session, 'bea'))[0]).toMatchObject({ content: 'A, B, and 1 other 3 orders' });
    const preview = await dataOf<Json>(
      session.post(`/v1/workflows/${identifier}/steps/${steps[2]?._id ?? ''}/preview`, { payload: { name: '<b>' } }),
      200,
    );
    expect(preview['content']).toContain('orders|<p>&lt;b&gt;</p></main>');
  });

  it('should show a fault where it stands in a preview', async () => {
    const { identifier, steps } = await createWorkflow(session, [inApp('{{ payload.a }}')], LIQUID);
    const path = `/v1/workflows/${identifier}/steps/${steps[0]?._id ?? ''}/preview`;
    const shown = await dataOf<Json>(session.post(path, { template: { content: 'x\n{{ a | shout }}' } }), 200);
    expect(shown['faults']).toEqual([
      { path: 'content', line: 2, column: 1, message: expect.stringContaining('no filter named "shout"') as string },
    ]);
    expect(await dataOf<Json>(session.post(path, { template: { content: '{{ payload.b }}' } }), 200)).toMatchObject({
      faults: [],
      missing: ['b'],
    });
    const draft = {
      step: { template: { type: 'in_app', content: '{% if payload.a %}A{% endif %}' } },
      payload: { a: 1 },
    };
    expect(await dataOf<Json>(session.post(`/v1/workflows/${identifier}/steps/preview`, draft), 200)).toMatchObject({
      content: 'A',
    });
  });

  it('should bound a template that would run for long, and send the next message all the same', async () => {
    const bomb = `${'{% for a in (1..1000) %}'.repeat(4)}${'{% endfor %}'.repeat(4)}x`;
    const { identifier } = await createWorkflow(session, [inApp(bomb), inApp('after')], LIQUID);
    await trigger(session, { name: identifier, to: 'cyd' });
    await delivery.drain();
    expect(await feedOf(session, 'cyd')).toMatchObject([{ content: 'after' }]);
  });

  it('should be refused with the line and what to do, where a template cannot be read', async () => {
    const refused = async (content: string, more: Json): Promise<string[]> =>
      faultsOf(await session.post('/v1/workflows', { name: 'X', steps: [inApp(content)], ...more }).expect(400));
    expect(await refused('a\n{% if b %}', LIQUID)).toEqual([
      'steps.0.template.content is not a valid template: {% if b %} is not closed; close it with {% endif %} (line 2, column 1)',
    ]);
    expect(await refused("{{ payload.name | default: 'x' }}", {})).toEqual([
      expect.stringMatching(
        /is not a valid template: .*if it is Liquid, set the workflow's templateLanguage to liquid$/,
      ),
    ]);
    expect(await refused('x', { templateLanguage: 'mustache' })).toEqual([
      'templateLanguage must be one of the following values: handlebars, liquid',
    ]);
  });

  it('should keep their language in an update, and change it only together with the steps', async () => {
    const { _id, identifier } = await createWorkflow(session, [inApp('{{ payload.a }}')], LIQUID);
    const put = (body: Json, status: number) => session.put(`/v1/workflows/${_id}`, body).expect(status);
    await put({ steps: [inApp('{% if payload.b %}{{ c }}{% endif %}')] }, 200);
    expect((await stored(identifier)).triggers[0]?.variables).toEqual([
      { name: 'b', type: 'Boolean' },
      { name: 'c', type: 'String' },
    ]);
    expect(faultsOf(await put({ steps: [inApp('{{#if b}}x{{/if}}')] }, 400))).toEqual([
      expect.stringMatching(/^steps\.0\.template\.content is not a valid template: .*templates are Liquid/),
    ]);
    expect(faultsOf(await put({ templateLanguage: 'handlebars' }, 400))).toEqual([
      'templateLanguage can become handlebars only together with the templates: send the steps as well, written in it',
    ]);
    await put({ templateLanguage: 'liquid', name: 'Renamed' }, 200);
    await put({ templateLanguage: null, steps: [inApp('{{#if b}}x{{/if}}')] }, 200);
    expect(await stored(identifier)).not.toHaveProperty('templateLanguage');
    expect(faultsOf(await put({ steps: [inApp('{{#if b}}x')] }, 400))).toEqual([
      expect.stringContaining('a block or an expression is left open') as string,
    ]);
    const [, version] = await dataOf<{ version: number }[]>(session.get(`/v1/workflows/${_id}/versions`), 200);
    await session.post(`/v1/workflows/${_id}/versions/${version?.version ?? 0}/restore`, {}).expect(200);
    expect(await stored(identifier)).toHaveProperty('templateLanguage');
  });

  it('should be defined by files with their language, and without it as Handlebars', async () => {
    const definition = {
      identifier: 'in-liquid',
      name: 'In Liquid',
      notificationGroup: 'General',
      steps: [{ template: { type: 'sms', content: '{% if payload.a %}{{ a }}{% endif %}' } }],
      ...LIQUID,
    };
    await dataOf(session.put('/v1/definitions/workflows/in-liquid', definition), 200);
    expect((await stored('in-liquid')).triggers[0]?.variables).toEqual([{ name: 'a', type: 'String' }]);
    const shown = await dataOf<Json>(session.get('/v1/definitions/workflows'), 200);
    expect(JSON.stringify(shown)).toContain('"templateLanguage":"liquid"');
    const without = {
      ...definition,
      templateLanguage: undefined,
      steps: [{ template: { type: 'sms', content: '{{ a | b }}' } }],
    };
    expect(faultsOf(await session.put('/v1/definitions/workflows/in-liquid', without).expect(400))).toEqual([
      expect.stringContaining('if it is Liquid') as string,
    ]);
  });
});
