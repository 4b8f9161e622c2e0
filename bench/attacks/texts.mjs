// Texts, templates, conditions and bodies that take as long as possible.
import { setTimeout as sleep } from 'node:timers/promises';

export async function workflow({ call }, steps, name = 'Attack') {
  const { data: groups } = await call('GET', '/v1/notification-groups');
  const { data, message } = await call('POST', '/v1/workflows', {
    name,
    notificationGroupId: groups[0]._id,
    active: true,
    steps,
  });
  if (data === undefined) throw new Error(`no workflow: ${JSON.stringify(message)}`);
  return data.triggers[0].identifier;
}

export const trigger = ({ call }, name, payload, to = 'ada') =>
  call('POST', '/v1/events/trigger', { name, to, payload });
export const inApp = (content, more = {}) => ({ template: { type: 'in_app', content }, ...more });
export const mail = (content, contentType = 'customHtml') => ({
  template: { type: 'email', subject: 'x', content, contentType },
});
const filters = (condition) => [{ value: 'AND', children: [{ on: 'payload', field: 'x', ...condition }] }];
const styled = (css, elements = 2_000) => `<style>${css}</style>${'<p class="a">x</p>'.repeat(elements)}`;

/** Each prepares what it needs and returns what it does. */
export const TEXTS_AND_TEMPLATES = {
  nothing: async () => () => Promise.resolve(),
  'digest with 80 kB of a.a.a': async (herald) => {
    const digest = { template: { type: 'digest' }, metadata: { type: 'regular', amount: 1, unit: 'seconds' } };
    const name = await workflow(herald, [digest, inApp('{{step.total_count}}')]);
    return async () => {
      for (let time = 0; time < 3; time += 1) await trigger(herald, name, { x: 'a.'.repeat(40_000) });
      await sleep(1_500);
    };
  },
  'LARGER on 16 kB of digits': async (herald) => {
    const name = await workflow(herald, [inApp('x', { filters: filters({ operator: 'LARGER', value: '5' }) })]);
    return () => trigger(herald, name, { x: `${'1'.repeat(16_000)}x` });
  },
  'ANY_IN with 1,000 values and 4 MB': async (herald) => {
    const value = Array.from({ length: 1_000 }, (_, index) => `v${index}`);
    const name = await workflow(herald, [inApp('x', { filters: filters({ operator: 'ANY_IN', value }) })]);
    return () => trigger(herald, name, { x: 'a,'.repeat(2_000_000) });
  },
  '100 conditions with LIKE on 4 MB': async (herald) => {
    const children = Array.from({ length: 100 }, () => ({
      on: 'payload',
      field: 'x',
      operator: 'LIKE',
      value: '%b%c%',
    }));
    const name = await workflow(herald, [inApp('x', { filters: [{ value: 'AND', children }] })]);
    return () => trigger(herald, name, { x: 'a'.repeat(4_000_000) });
  },
  '910 kB of b and i': async (herald) => {
    const name = await workflow(herald, [mail('{{{x}}}', 'editor')]);
    return () => trigger(herald, name, { x: '<b></i>'.repeat(130_000) });
  },
  'selectors of 300 descendants': async (herald) => {
    const name = await workflow(herald, [mail(styled(`${'div '.repeat(300)}p{color:red}`.repeat(50)))]);
    return () => trigger(herald, name, {});
  },
  'selectors with :not()': async (herald) => {
    const name = await workflow(herald, [mail(styled('*:not(b *) p{color:red}'.repeat(20)))]);
    return () => trigger(herald, name, {});
  },
  '15 steps of loops for 4 recipients': async (herald) => {
    const loops = '{{#each list}}{{#each ../list}}{{uppercase this}}{{/each}}{{/each}}';
    const name = await workflow(
      herald,
      Array.from({ length: 15 }, () => inApp(loops)),
    );
    const list = Array.from({ length: 310 }, () => 'a');
    return () => trigger(herald, name, { list }, ['one', 'two', 'three', 'four']);
  },
  'mail of 20 large blocks with large values': async (herald) => {
    const content = Array.from({ length: 20 }, () => ({ type: 'text', content: '<p>{{{x}}}</p>' }));
    const name = await workflow(herald, [
      { template: { type: 'email', subject: 'x', contentType: 'editor', content } },
    ]);
    return () => trigger(herald, name, { x: '<p>some text</p>'.repeat(3_000) }, ['one', 'two', 'three', 'four']);
  },
  'a workflow of 12 MB of templates': async (herald) => {
    const { data: groups } = await herald.call('GET', '/v1/notification-groups');
    const content = '{{a}}'.repeat(600) + 'x'.repeat(200_000);
    const body = { name: 'Large', notificationGroupId: groups[0]._id, active: true };
    return () =>
      herald.call('POST', '/v1/workflows', { ...body, steps: Array.from({ length: 60 }, () => inApp(content)) });
  },
  'search for names, far behind': async (herald) => {
    for (let from = 0; from < 5_000; from += 500) {
      const subscribers = Array.from({ length: 500 }, (_, n) => ({
        subscriberId: `s${from + n}`,
        firstName: `aa${from + n}`,
        data: { text: 'x'.repeat(1_500) },
      }));
      await herald.call('POST', '/v1/subscribers/bulk', { subscribers });
    }
    const search = (page) => herald.call('GET', `/v1/subscribers?name=aa&page=${page}&limit=100`);
    return () => Promise.all([...Array.from({ length: 10 }, () => search(1_000_000)), search(49), search(99)]);
  },
  'a trigger to 100,000 recipients': async (herald) => {
    const name = await workflow(herald, [inApp('x')]);
    const to = Array.from({ length: 100_000 }, (_, index) => `r${index}`);
    return () => trigger(herald, name, {}, to);
  },
  'a payload of 190,000 keys for 4 recipients': async (herald) => {
    const name = await workflow(herald, [inApp('{{#each x}}{{@key}}{{/each}}')]);
    const x = Object.fromEntries(Array.from({ length: 190_000 }, (_, index) => [`k${index}`, index]));
    return () => trigger(herald, name, { x }, ['one', 'two', 'three', 'four']);
  },
};
