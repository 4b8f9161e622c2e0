import request from 'supertest';
import { createWorkflow, inApp, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { useTestApi } from '../support/test-api.js';
import { dataOf } from '../support/answers.js';

const TOKEN = 'a-token-for-metrics-only';

describe('/metrics', () => {
  const delivery = useDeliveryApi('metrics', { METRICS_TOKEN: TOKEN });
  const metrics = (): request.Test => request(delivery.api.url).get('/metrics').set('Authorization', `Bearer ${TOKEN}`);

  it.each([
    ['none', ''],
    ['another one', 'Bearer another-token-for-metrics'],
    ['the token alone', TOKEN],
  ])('should be refused with this token: %s', async (_case, authorization) => {
    const { text } = await request(delivery.api.url).get('/metrics').set('Authorization', authorization).expect(401);
    expect(text).not.toContain('herald_');
  });

  it('should count requests, notifications, steps and claims', async () => {
    const session = await delivery.api.session();
    const { identifier } = await createWorkflow(session, [inApp('counted')]);
    await trigger(session, { name: identifier, to: 'ada' });
    await delivery.drain();
    await session.get('/v1/subscribers/nothing').expect(404);
    const { text, headers } = await metrics().expect(200);
    expect(headers['content-type']).toMatch(/^text\/plain; version=/);
    expect(text).toMatch(/^herald_events_accepted_total [1-9]/m);
    expect(text).toMatch(/^herald_notifications_ended_total\{status="completed"\} [1-9]/m);
    expect(text).toMatch(/^herald_steps_ended_total\{type="in_app",status="completed"\} [1-9]/m);
    expect(text).toMatch(
      /^herald_http_request_duration_seconds_count\{method="POST",route="\/v1\/events\/trigger",status="201"\} [1-9]/m,
    );
    expect(text).toMatch(/^herald_work_due\{queue="notifications"\} 0$/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
    expect(text).not.toContain('nothing');
  });
});

describe('/metrics without a token', () => {
  const api = useTestApi();

  it('should not be served on the port of the API', () => request(api.url).get('/metrics').expect(404));

  it('should show the work that is due to keys with the scope admin', async () => {
    const session = await api.session();
    const work = dataOf<{ queue: string }[]>(await session.get('/v1/health-check/work').expect(200));
    expect(work.map(({ queue }) => queue)).toEqual(['events', 'notifications', 'webhooks', 'schedules', 'questions']);
    await request(api.url).get('/v1/health-check/work').expect(401);
    const issued = await session.post('/v1/environments/api-keys', { name: 'reader', scopes: ['read'] }).expect(201);
    const { key } = dataOf<{ key: string }>(issued);
    await request(api.url).get('/v1/health-check/work').set('Authorization', `ApiKey ${key}`).expect(403);
  });
});
