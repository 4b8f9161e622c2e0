import { faultsOf, type Json } from '../support/answers.js';
import { useHerald, useSession } from '../support/herald.js';

const api = useHerald();
const session = useSession(api);

/** Every id that a client chooses and that is part of a path. */
const PLACES: Record<string, [path: string, body: (id: string) => Json]> = {
  subscriberId: ['subscribers', (subscriberId) => ({ subscriberId })],
  'integration.identifier': ['integrations', (identifier) => ({ providerId: 'discord', channel: 'chat', identifier })],
  'layout.identifier': ['layouts', (identifier) => ({ name: 'A', identifier, content: '{{{body}}}' })],
  'topic.key': ['topics', (key) => ({ key, name: 'A' })],
  'segment.segmentId': ['segments', (segmentId) => ({ segmentId, name: 'A', conditions: [] })],
  'tenant.identifier': ['tenants', (identifier) => ({ identifier, name: 'A' })],
  'feed.name': ['feeds', (name) => ({ name })],
  'event.to': ['events/trigger', (to) => ({ name: 'a', to })],
  'event.to list': ['events/trigger', (to) => ({ name: 'a', to: [to] })],
  'event.to.subscriberId': ['events/trigger', (subscriberId) => ({ name: 'a', to: { subscriberId } })],
  'event.actor': ['events/trigger', (actor) => ({ name: 'a', to: 'ann', actor })],
  'event.tenant': ['events/trigger', (tenant) => ({ name: 'a', to: 'ann', tenant })],
  'event.transactionId': ['events/trigger', (transactionId) => ({ name: 'a', to: 'ann', transactionId })],
};

describe.each(Object.entries(PLACES))('an id that URLs take for a folder: %s', (_place, [path, body]) => {
  it.each(['.', '..'])('should be refused: %j', async (id) => {
    const faults = await faultsOf(session.post(`/v1/${path}`, body(id)));
    expect(faults.join()).toContain("must not be '.' or '..'");
  });
});
