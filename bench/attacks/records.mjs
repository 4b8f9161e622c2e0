// Records as large and as many as they may be, and what reads them.
import { setTimeout as sleep } from 'node:timers/promises';
import { inApp, mail, trigger, workflow } from './texts.mjs';

const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const object = (keys, value) => Object.fromEntries(times(keys, (index) => [`k${index}`, value]));

/** Triggers one after the other, and waits until the messages or the runs of all are stored. */
async function deliver(herald, name, payloads) {
  for (const payload of payloads) await trigger(herald, name, payload);
  await settled(herald);
}

async function settled(herald) {
  for (let tries = 0; tries < 240; tries += 1) {
    const { data } = await herald.call('GET', '/v1/notifications?status=pending&limit=1');
    if (data.length === 0) return;
    await sleep(500);
  }
}

async function largeNotifications(herald) {
  const name = await workflow(herald, [inApp('x')]);
  await deliver(
    herald,
    name,
    times(100, () => ({ x: times(49_000, () => 'abc') })),
  );
}

export const LARGE_RECORDS = {
  'an attachment of 15 MB': async (herald) => {
    const name = await workflow(herald, [inApp('x')]);
    return () =>
      trigger(herald, name, { attachments: [{ name: 'a', mime: 'text/plain', file: 'QUJD'.repeat(4_800_000) }] });
  },
  '12 templates of 480 kB, delivered': async (herald) => {
    const content = '{{a}}{{b}}'.repeat(900) + 'x'.repeat(470_000);
    const name = await workflow(
      herald,
      times(12, () => inApp(content)),
    );
    return () => trigger(herald, name, { a: 1 }, ['one', 'two', 'three', 'four']);
  },
  'a digest of 5,000 events': async (herald) => {
    const digest = { template: { type: 'digest' }, metadata: { type: 'regular', amount: 8, unit: 'seconds' } };
    const name = await workflow(herald, [digest, inApp('{{#each step.events}}{{a}}{{missing}}{{/each}}')]);
    const a = 'x'.repeat(1_000);
    const payload = { a, list: times(50, () => a.slice(0, 10)) };
    for (let sent = 0; sent < 5_000; sent += 100)
      await herald.call('POST', '/v1/events/trigger/bulk', {
        events: times(100, () => ({ name, to: 'ada', payload })),
      });
    return () => sleep(9_000);
  },
  'a body of 150,000 unknown fields': async (herald) => {
    const name = await workflow(herald, [inApp('x')]);
    return () => herald.call('POST', '/v1/events/trigger', { name, to: 'ada', payload: {}, ...object(150_000, 1) });
  },
  '100 events of 1,900 unknown fields': async (herald) => {
    const name = await workflow(herald, [inApp('x')]);
    const events = times(100, () => ({ name, to: 'ada', payload: {}, ...object(1_900, 1) }));
    return () => herald.call('POST', '/v1/events/trigger/bulk', { events });
  },
  '100 events of 1,900 recipients': async (herald) => {
    const name = await workflow(herald, [inApp('x')]);
    const events = times(100, (n) => ({ name, to: times(1_900, (index) => `r${n}-${index}`), payload: {} }));
    return () => herald.call('POST', '/v1/events/trigger/bulk', { events });
  },
  '14,000 described recipients': async (herald) => {
    const name = await workflow(herald, [inApp('x')]);
    const to = times(14_000, (n) => ({
      subscriberId: `d${n}`,
      firstName: 'x'.repeat(900),
      email: `${n}@example.com`,
      locale: 'en',
      data: object(5, 1),
    }));
    return () => trigger(herald, name, {}, to);
  },
  'described recipients with 190,000 keys of data': async (herald) => {
    const name = await workflow(herald, [inApp('x')]);
    const to = times(4, (n) => ({ subscriberId: `d${n}`, data: object(45_000, 1) }));
    return () => trigger(herald, name, {}, to);
  },
  'overrides of 190,000 keys': async (herald) => {
    const name = await workflow(herald, [inApp('x'), mail('x')]);
    const body = {
      name,
      to: [{ subscriberId: 'o', email: 'o@example.com' }],
      payload: {},
      overrides: { email: object(190_000, 'x') },
    };
    return () => herald.call('POST', '/v1/events/trigger', body);
  },
  'the largest payload for 50 recipients': async (herald) => {
    const name = await workflow(herald, [inApp('{{#each x}}{{@key}}{{/each}}')]);
    const payload = { x: object(10_000, 1), y: times(39_000, () => 'y'.repeat(65)) };
    return () =>
      trigger(
        herald,
        name,
        payload,
        times(50, (n) => `r${n}`),
      );
  },
  'a payload of 14 MB of small values': async (herald) => {
    const name = await workflow(herald, [inApp('{{#each x}}{{this}}{{/each}}'), mail('{{x.[0]}}')]);
    return () => trigger(herald, name, { x: times(190_000, () => 'y'.repeat(65)) }, ['one', 'two', 'three', 'four']);
  },
  'links and addresses of a megabyte': async (herald) => {
    const cta = {
      data: { url: '{{link}}' },
      action: { buttons: [{ type: 'primary', content: 'x', url: '{{link}}' }] },
    };
    const name = await workflow(herald, [{ template: { type: 'in_app', content: '{{{link}}}', cta } }, mail('x')]);
    const link = '&#x26;#106;&amp;'.repeat(60_000);
    const overrides = {
      email: { to: ['<,('.repeat(50_000)], from: '"a'.repeat(100_000), replyTo: '@'.repeat(100_000) },
    };
    return () =>
      herald.call('POST', '/v1/events/trigger', {
        name,
        to: { subscriberId: 'l', email: 'l@example.com' },
        payload: { link },
        overrides,
      });
  },
  '100 notifications with 49,000 values each': async (herald) => {
    await largeNotifications(herald);
    return () => herald.call('GET', '/v1/notifications?limit=100');
  },
  '100 messages with 49,000 values each': async (herald) => {
    await largeNotifications(herald);
    return () => herald.call('GET', '/v1/messages?limit=100');
  },
  'the feed of 100 large messages': async (herald) => {
    await largeNotifications(herald);
    return () => herald.call('GET', '/v1/subscribers/ada/notifications/feed?limit=100');
  },
  'the feed, filtered by payload': async (herald) => {
    await largeNotifications(herald);
    const payload = Buffer.from(JSON.stringify({ x: 'nothing' })).toString('base64');
    return () => herald.call('GET', `/v1/subscribers/ada/notifications/feed?limit=100&payload=${payload}`);
  },
  'all marked as read, 100 large messages': async (herald) => {
    await largeNotifications(herald);
    return () => herald.call('POST', '/v1/subscribers/ada/messages/mark-all', { markAs: 'read' });
  },
  'a workflow of 12 MB, read 5 times': async (herald) => {
    const name = await workflow(
      herald,
      times(60, () => inApp('{{a}}'.repeat(600) + 'x'.repeat(200_000))),
    );
    return () => Promise.all(times(5, () => herald.call('GET', `/v1/workflows/${name}`)));
  },
  'preferences of a subscriber, 5 workflows of 12 MB': async (herald) => {
    for (let n = 0; n < 5; n += 1)
      await workflow(
        herald,
        times(60, () => inApp('x'.repeat(200_000))),
      );
    await herald.call('POST', '/v1/subscribers', { subscriberId: 'ada' });
    return () => herald.call('GET', '/v1/subscribers/ada/preferences');
  },
  '100 layouts of 490 kB': async (herald) => {
    const content = '{{{body}}}' + '<p>x</p>'.repeat(60_000);
    for (let n = 0; n < 100; n += 1)
      await herald.call('POST', '/v1/layouts', { name: `L${n}`, identifier: `l${n}`, content });
    return () => herald.call('GET', '/v1/layouts?limit=100&pageSize=100');
  },
  'a layout of 12 MB': async (herald) => () =>
    herald.call('POST', '/v1/layouts', {
      name: 'L',
      identifier: 'l',
      content: '{{{body}}}' + '<p>x</p>'.repeat(1_500_000),
    }),
  'a layout of 490 kB of tags': async (herald) => () =>
    herald.call('POST', '/v1/layouts', {
      name: 'L',
      identifier: 'l',
      content: '{{{body}}}' + '{{a.b}}'.repeat(1_900) + '<b></i>'.repeat(65_000),
    }),
  '100 subscribers of 900 kB': async (herald) => {
    for (let n = 0; n < 100; n += 1)
      await herald.call('POST', '/v1/subscribers', {
        subscriberId: `s${n}`,
        data: { x: times(100_000, () => 'abcd') },
      });
    return () => herald.call('GET', '/v1/subscribers?limit=100');
  },
  '500 subscribers at once, 190,000 keys': async (herald) => {
    const subscribers = times(500, (n) => ({ subscriberId: `b${n}`, data: object(370, 1) }));
    return () => herald.call('POST', '/v1/subscribers/bulk', { subscribers });
  },
  'far pages of all lists': async (herald) => {
    const name = await workflow(herald, [inApp('x')]);
    for (let n = 0; n < 20_000; n += 5_000)
      await trigger(
        herald,
        name,
        {},
        times(5_000, (index) => `r${n + index}`),
      );
    await settled(herald);
    const lists = [
      'notifications',
      'messages',
      'subscribers',
      'topics',
      'tenants',
      'workflows',
      'layouts',
      'webhooks',
      'workflow-overrides',
    ];
    const far = [...lists, 'subscribers/r1/notifications/feed'].flatMap((list) => [
      `/v1/${list}?page=1000000`,
      `/v1/${list}?page=199&limit=100`,
    ]);
    return () => Promise.all(far.map((path) => herald.call('GET', path).catch((error) => ({ status: error.message }))));
  },
  'filters and statistics of 40,000 notifications': async (herald) => {
    const name = await workflow(herald, [inApp('x')]);
    for (let n = 0; n < 40_000; n += 10_000)
      await trigger(
        herald,
        name,
        {},
        times(10_000, (index) => `r${n + index}`),
      );
    await settled(herald);
    const query = [
      'status=failed',
      'deadLetter=true',
      'channels=sms',
      'search=unknown',
      'from=2020-01-01&to=2030-01-01&status=canceled',
      'transactionId=none',
    ];
    const paths = ['stats', 'graph/stats?days=7', 'graph/stats?days=31', ...query.map((one) => `?limit=100&${one}`)];
    return () => Promise.all(paths.map((path) => herald.call('GET', `/v1/notifications/${path}`.replace('/?', '?'))));
  },
  'the details of a run of 150 steps, 100 recipients': async (herald) => {
    const name = await workflow(
      herald,
      times(150, () => inApp('{{a}}{{b}}{{c}}')),
    );
    await trigger(
      herald,
      name,
      {},
      times(100, (n) => `e${n}`),
    );
    await settled(herald);
    return () => herald.call('GET', '/v1/notifications?limit=100');
  },
  'a topic with 50,000 subscribers': async (herald) => {
    await herald.call('POST', '/v1/topics', { key: 't', name: 't' });
    for (let n = 0; n < 50_000; n += 500)
      await herald.call('POST', '/v1/subscribers/bulk', {
        subscribers: times(500, (index) => ({ subscriberId: `t${n + index}` })),
      });
    return async () => {
      const answers = [];
      for (let n = 0; n < 50_000; n += 500)
        answers.push(
          await herald.call('POST', '/v1/topics/t/subscribers', {
            subscribers: times(500, (index) => `t${n + index}`),
          }),
        );
      answers.push(await herald.call('GET', '/v1/topics/t'), await herald.call('GET', '/v1/topics?limit=100'));
      return answers;
    };
  },
};
