import { callCost } from './call-cost.js';

describe('callCost', () => {
  it.each([
    ['POST', '/v1/events/trigger', 'trigger', 'single'],
    ['POST', '/v1/events/trigger/bulk', 'trigger', 'bulk'],
    ['POST', '/V1/Events/Trigger/Bulk/', 'trigger', 'bulk'],
    ['POST', '/v1/events/trigger/broadcast', 'trigger', 'bulk'],
    ['DELETE', '/v1/events/trigger/bulk', 'trigger', 'single'],
    ['GET', '/v1/subscribers', 'configuration', 'single'],
    ['POST', '/v1/subscribers/bulk', 'configuration', 'bulk'],
    ['PUT', '/v1/topics/a/subscribers', 'configuration', 'single'],
    ['GET', '/v1/tenants/a', 'configuration', 'single'],
    ['PATCH', '/v2/subscribers/a', 'configuration', 'single'],
    ['GET', '/v2/topics/a/subscriptions', 'configuration', 'single'],
    ['POST', '/v1/events/trigger/dry-run', 'trigger', 'single'],
    ['POST', '/v1/workflows/a/steps/b/test', 'trigger', 'single'],
    ['POST', '/v1/workflows/a/steps/b/preview', 'global', 'single'],
    ['GET', '/v1/feeds', 'global', 'single'],
    ['GET', '/v1/eventsource', 'global', 'single'],
  ] as const)('should count %s %s as %s, %s', (method, path, category, cost) => {
    expect(callCost(method, path)).toEqual({ category, cost });
  });
});
