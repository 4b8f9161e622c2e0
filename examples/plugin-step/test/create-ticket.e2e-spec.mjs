import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sharedStore, TestHerald } from '../../test-herald.mjs';
import { TicketSystem } from './ticket-system.mjs';

const PLUGIN = fileURLToPath(new URL('..', import.meta.url));
const ticketStep = (input, more = {}) => ({ template: { type: 'create-ticket', input }, ...more });

const tickets = new TicketSystem();
let url;
beforeAll(async () => {
  url = await tickets.open();
});
beforeEach(() => tickets.forget());
afterAll(() => tickets.close());

describe('the step type of a plugin', () => {
  let herald;
  beforeAll(async () => {
    herald = await TestHerald.start({ HERALD_PLUGINS: PLUGIN, TICKETS_URL: url, DELIVERY_RETRY_BASE_MS: '10' });
  });
  afterAll(() => herald?.stop());

  it('should check its input when a workflow is written, and be in the OpenAPI document', async () => {
    const refused = await herald.createWorkflow('Bad', [
      ticketStep({ title: '{{broken', priority: '{{payload.priority}}' }),
      ticketStep({ title: '', priority: 'urgent' }),
      { template: { type: 'create-tickt' } },
      { template: { type: 'create-ticket' } },
    ]);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toEqual([
      expect.stringContaining('steps.0.template.input.title is not a valid template'),
      'steps.1.template.input.title must not be empty',
      'steps.1.template.input.priority must be low or high',
      expect.stringContaining('create-ticket'),
      'steps.3.template.input is required: what the step needs, as an object',
    ]);
    expect(herald.output).not.toContain('is new');
    const { body } = await herald.call('GET', '/openapi.json');
    expect(body.components.schemas.CreateTicketTemplateDto.properties.input.required).toContain('title');

    const { body: accepted } = await herald.createWorkflow('Good', [ticketStep({ title: 'Order {{order.id}}' })]);
    expect(accepted.data.triggers[0].variables).toEqual([{ name: 'order.id', type: 'String' }]);
  });

  it('should run with rendered input after its condition passed, and retry what is temporary', async () => {
    const filters = [{ children: [{ field: 'order', operator: 'STARTS_WITH', value: 'EU-' }] }];
    await herald.createWorkflow('Late', [ticketStep({ title: 'Order {{order}} is late' }, { filters })]);
    tickets.faults.push(503);

    const { jobs, trail } = await herald.deliver('late', { subscriberId: 'ada' }, { order: 'EU-1' });
    expect(jobs).toMatchObject([{ type: 'create-ticket', status: 'completed' }]);
    expect([...tickets.tickets.values()]).toEqual([
      { id: 1, title: 'Order EU-1 is late', priority: 'low', reporter: 'ada' },
    ]);
    expect(new Set(tickets.calls).size).toBe(1);
    expect(trail).toEqual([
      'Step created (Pending)',
      'Step queued (Pending)',
      'Step of a plugin started (Pending)',
      'Step of a plugin failed and will be retried (Warning)',
      'Step of a plugin started (Pending)',
      'Ticket asked for again (Pending)',
      'Ticket opened (Success)',
      'Step of a plugin completed (Success)',
    ]);

    const skipped = await herald.deliver('late', { subscriberId: 'ada' }, { order: 'US-1' });
    expect(skipped.jobs).toMatchObject([{ status: 'skipped' }]);
    expect(tickets.tickets.size).toBe(1);
    expect(herald.output).toContain('tickets: workflow ');
  });

  it('should hand the ticket to later steps, after a wait, too', async () => {
    await herald.createWorkflow('Handed on', [
      ticketStep({ title: 'Order {{order}}' }, { uuid: 'ticket' }),
      { template: { type: 'in_app', content: 'Ticket {{step.outputs.ticket.id}}' } },
      { template: { type: 'delay' }, metadata: { type: 'regular', amount: 1, unit: 'seconds' } },
      {
        template: { type: 'in_app', content: 'Still ticket {{step.outputs.ticket.id}}' },
        filters: [
          { children: [{ field: 'known', operator: 'EQUAL', value: '{{step.outputs.ticket.id}}' }], value: 'AND' },
        ],
      },
    ]);
    const { jobs } = await herald.deliver('handed-on', { subscriberId: 'ada' }, { order: '1', known: 1 });
    expect(jobs.map(({ status }) => status)).toEqual(Array(4).fill('completed'));
    expect(JSON.stringify(jobs)).not.toContain('Template values are missing');
    const { body } = await herald.call('GET', '/v1/subscribers/ada/notifications/feed');
    expect(body.data.map(({ content }) => content)).toEqual(['Still ticket 1', 'Ticket 1']);
  });

  it('should fail for good where the plugin says so, and where the rendered input does not fit', async () => {
    await herald.createWorkflow('Refused', [ticketStep({ title: 'Order {{order}}', priority: '{{priority}}' })]);
    tickets.faults.push(400);
    const refused = await herald.deliver('refused', { subscriberId: 'ada' }, { order: '1', priority: 'high' });
    expect(refused.jobs).toMatchObject([{ status: 'failed' }]);
    expect(refused.trail.at(-1)).toBe('Step of a plugin failed (Failed)');
    expect(tickets.calls).toHaveLength(1);

    const unfit = await herald.deliver('refused', { subscriberId: 'ada' }, { order: '1', priority: 'urgent' });
    expect(unfit.jobs).toMatchObject([{ status: 'failed' }]);
    expect(JSON.stringify(unfit.jobs)).toContain('input.priority must be low or high');
    expect(tickets.calls).toHaveLength(1);
  });

  it('should say in a dry run that it was not simulated, and open no ticket', async () => {
    await herald.createWorkflow('Dry', [ticketStep({ title: 'Order {{order}}' })]);
    const { status, body } = await herald.call('POST', '/v1/events/trigger/dry-run', {
      name: 'dry',
      to: { subscriberId: 'ada' },
      payload: { order: '1' },
    });
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toContain('Step of a plugin was not simulated');
    expect(tickets.calls).toEqual([]);
  });
});

describe('a worker that dies in the middle of the step of a plugin', () => {
  it('should be succeeded by one that asks with the same key, and the trail should say so', async () => {
    const settings = {
      ...sharedStore('plugin_crash'),
      HERALD_PLUGINS: PLUGIN,
      TICKETS_URL: url,
      DELIVERY_LEASE_MS: '1000',
    };
    const api = await TestHerald.start({ ...settings, DELIVERY_WORKER: 'off' });
    const workers = [await TestHerald.startWorker(settings)];
    try {
      await api.createWorkflow('Crash', [ticketStep({ title: 'Order {{order}}' })]);
      tickets.faults.push('hang');
      const { body } = await api.call('POST', '/v1/events/trigger', {
        name: 'crash',
        to: { subscriberId: 'ada' },
        payload: { order: '1' },
      });
      while (tickets.calls.length === 0) await sleep(20);
      await workers[0].stop('SIGKILL');
      workers.push(await TestHerald.startWorker(settings));

      const { jobs, trail } = await api.ended(body.data.transactionId);
      expect(jobs).toMatchObject([{ status: 'completed' }]);
      expect(tickets.calls.length).toBeGreaterThan(1);
      expect(new Set(tickets.calls).size).toBe(1);
      expect(tickets.tickets.size).toBe(1);
      expect(trail.slice(-4)).toEqual([
        'Step of a plugin started (Pending)',
        'Ticket asked for again (Pending)',
        'Ticket opened (Success)',
        'Step of a plugin completed (Success)',
      ]);
    } finally {
      await Promise.all([api, ...workers].map((one) => one.stop()));
    }
  });
});

describe('a workflow whose plugin is gone', () => {
  it('should be readable, and its notifications should fail with the missing type in the trail', async () => {
    const settings = { ...sharedStore('plugin_gone'), TICKETS_URL: url };
    const before = await TestHerald.start({ ...settings, HERALD_PLUGINS: PLUGIN });
    const workflow = await before.createWorkflow('Gone', [ticketStep({ title: 'Order {{order}}' })]);
    await before.stop();

    const after = await TestHerald.start(settings);
    try {
      const path = `/v1/workflows/${workflow.body.data._id}`;
      expect(await after.call('GET', path)).toMatchObject({
        status: 200,
        body: { data: { steps: [{ template: { type: 'create-ticket', input: { title: 'Order {{order}}' } } }] } },
      });
      const { jobs } = await after.deliver('gone', { subscriberId: 'ada' }, { order: '1' });
      expect(jobs).toMatchObject([{ status: 'failed' }]);
      expect(JSON.stringify(jobs)).toContain('No plugin of this process has steps of the type create-ticket');
      expect(after.output).toContain('create-ticket');
      expect(await after.call('GET', '/v1/health-check')).toMatchObject({ status: 200 });
    } finally {
      await after.stop();
    }
  });
});
