import type { TestSession } from '../harness/index.js';
import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { joined, type SignedInBrowser, tokenOf } from '../support/signed-in-browser.js';
import { useHerald } from '../support/herald.js';

const api = useHerald();

interface Change extends Json {
  readonly kind: string;
  readonly name: string;
  readonly outcome: string;
  readonly differences: Json[];
}
interface Preview extends Json {
  readonly digest: string;
  readonly changes: Change[];
  readonly faults: string[];
}

let development: TestSession;
let production: TestSession;
/** Signed in, in Production, with a role in both. */
let ada: SignedInBrowser;

const PREVIEW = '/v1/promotions/preview';
const PROMOTE = '/v1/promotions';

const workflow = (more: Json = {}): Json => ({
  identifier: 'order-shipped',
  name: 'Order shipped',
  notificationGroup: 'Orders',
  active: true,
  steps: [
    { uuid: 'bell', template: { type: 'in_app', feed: 'News', content: 'On its way' } },
    {
      uuid: 'mail',
      template: { type: 'email', layout: 'company', subject: 'Hi', contentType: 'customHtml', content: '<p>Hi</p>' },
    },
  ],
  ...more,
});
const define = (of: TestSession, path: string, body: Json): Promise<Json> =>
  dataOf(of.put(`/v1/definitions/${path}`, body), 200);
const defineWorkflow = (of: TestSession, more: Json = {}): Promise<Json> =>
  define(of, 'workflows/order-shipped', workflow(more));

async function fill(of: TestSession): Promise<void> {
  await define(of, 'notification-groups/Orders', { name: 'Orders' });
  await define(of, 'feeds/News', { name: 'News' });
  await define(of, 'feeds/Unused', { name: 'Unused' });
  await define(of, 'layouts/company', { identifier: 'company', name: 'Company', content: '<b>{{{body}}}</b>' });
  await define(of, 'translations/de', { locale: 'de', messages: { hello: 'Hallo' } });
  await defineWorkflow(of);
}

/** Somebody with a role in each of the two. */
async function person(inDevelopment: string, inProduction: string): Promise<SignedInBrowser> {
  const one = await joined(development, inDevelopment);
  const { url } = await dataOf<{ url: string }>(
    production.post('/v1/users/invitations', { email: one.email, role: inProduction }),
    201,
  );
  await one.accept(tokenOf(url));
  one.environmentId = production.environmentId;
  return one;
}

const body = (more: Json = {}): Json => ({ sourceEnvironmentId: development.environmentId, ...more });
const preview = (more: Json = {}): Promise<Preview> => dataOf<Preview>(ada.post(PREVIEW, body(more)), 200);
const promote = async (more: Json = {}): Promise<Preview> =>
  dataOf<Preview>(ada.post(PROMOTE, body({ ...more, digest: (await preview(more)).digest })), 200);
const listed = ({ changes }: Preview): string[] =>
  changes.map(({ kind, name, outcome }) => `${outcome} ${kind} ${name}`);
const promotedWorkflow = (): Promise<Json> => dataOf(production.get('/v1/workflows/order-shipped'), 200);

beforeEach(async () => {
  [development, production] = await api.siblings();
  await fill(development);
  ada = await person('editor', 'editor');
});

describe('POST /v1/promotions', () => {
  it('should show what would change, store nothing, and then do exactly that', async () => {
    const shown = await preview();
    expect(listed(shown)).toEqual([
      'created notification-group Orders',
      'created feed News',
      'created feed Unused',
      'created layout company',
      'created translation de',
      'created workflow order-shipped',
    ]);
    expect(shown.faults).toEqual([]);
    await production.get('/v1/workflows/order-shipped').expect(404);
    const done = await promote();
    expect(listed(done)).toEqual(listed(shown));
    expect(done).not.toHaveProperty('fault');
    expect(await preview()).toMatchObject({ changes: [] });
    expect(await promote()).toMatchObject({ changes: [] });
  });

  it('should promote one workflow with what it names, and nothing else', async () => {
    expect(listed(await promote({ workflow: 'order-shipped' }))).toEqual([
      'created notification-group Orders',
      'created feed News',
      'created layout company',
      'created workflow order-shipped',
    ]);
    await defineWorkflow(development, { name: 'Other' });
    await define(development, 'feeds/Later', { name: 'Later' });
    const { changes } = await promote({ workflow: 'order-shipped' });
    expect(changes).toEqual([
      expect.objectContaining({
        kind: 'workflow',
        sourceVersion: 1,
        version: 1,
        differences: [{ path: ['name'], kind: 'changed', before: 'Order shipped', after: 'Other' }],
      }),
    ]);
    expect(await codeOf(ada.post(PREVIEW, body({ workflow: 'nothing' })), 404)).toBe('workflow_not_found');
  });

  it('should promote a workflow in Liquid, and its change from Handlebars', async () => {
    await promote();
    const liquid = {
      templateLanguage: 'liquid',
      steps: [
        {
          uuid: 'bell',
          template: { type: 'in_app', content: '{% if payload.a %}{{ payload.a | upcase }}{% endif %}' },
        },
      ],
    };
    await defineWorkflow(development, liquid);
    const { changes } = await preview({ workflow: 'order-shipped' });
    expect(changes[0]?.differences).toContainEqual({ path: ['templateLanguage'], kind: 'added', after: 'liquid' });
    expect(await promote()).not.toHaveProperty('fault');
    expect(await promotedWorkflow()).toMatchObject({ ...liquid, triggers: [{ variables: [{ name: 'a' }] }] });
    await production
      .post('/v1/events/trigger/dry-run', { name: 'order-shipped', to: 'ada', payload: { a: 'x' } })
      .expect(200);
    // And back.
    await defineWorkflow(development);
    expect(await promote()).not.toHaveProperty('fault');
    expect(await promotedWorkflow()).not.toHaveProperty('templateLanguage');
    expect(await preview()).toMatchObject({ changes: [] });
  });

  it('should save a version that says who promoted what', async () => {
    await defineWorkflow(development, { name: 'Other' });
    await promote();
    const { _id } = await promotedWorkflow();
    const [version] = await dataOf<Json[]>(production.get(`/v1/workflows/${String(_id)}/versions`), 200);
    expect(version).toMatchObject({ action: 'promoted', note: 'Promoted from Development (version 1)' });
    const { _id: userId, name } = await dataOf(ada.get('/v1/users/session'), 200);
    expect(version).toMatchObject({ apiKeyId: userId, apiKeyName: name });
  });

  it('should leave an entry in the audit log of the target', async () => {
    await promote({ workflow: 'order-shipped' });
    await defineWorkflow(development, { name: 'Other' });
    await promote({ workflow: 'order-shipped' });
    const { entries } = await dataOf<{ entries: Json[] }>(production.get('/v1/audit-log?limit=1'), 200);
    expect(entries).toEqual([
      expect.objectContaining({
        action: 'promote',
        via: 'console',
        resource: { type: 'promotion', name: 'Development' },
        outcome: 'done',
        changes: [{ path: 'workflow.order-shipped.name', before: 'Order shipped', after: 'Other' }],
      }),
    ]);
    const count = async (): Promise<number> =>
      (await dataOf<{ entries: Json[] }>(production.get('/v1/audit-log?action=promote'), 200)).entries.length;
    expect(await count()).toBe(2);
    await promote({ workflow: 'order-shipped' });
    expect(await count()).toBe(2);
  });

  it('should refuse what is no longer what was shown', async () => {
    const { digest } = await preview();
    await defineWorkflow(development, { name: 'Other' });
    expect(await codeOf(ada.post(PROMOTE, body({ digest })), 409)).toBe('promotion_outdated');
    await production.get('/v1/workflows/order-shipped').expect(404);
    await promote();
    await defineWorkflow(development, { name: 'Third' });
    const { digest: second } = await preview();
    await defineWorkflow(production, { name: 'Theirs' });
    expect(await codeOf(ada.post(PROMOTE, body({ digest: second })), 409)).toBe('promotion_outdated');
    expect(await promotedWorkflow()).toMatchObject({ name: 'Theirs' });
    await define(production, 'feeds/Theirs', { name: 'Theirs' });
    const { digest: all } = await preview();
    expect(await codeOf(ada.post(PROMOTE, body({ digest: all, prune: true })), 409)).toBe('promotion_outdated');
  });

  it('should delete what the source lacks only if that is asked for', async () => {
    await promote();
    await define(production, 'feeds/Theirs', { name: 'Theirs' });
    await define(production, 'workflows/theirs', workflow({ identifier: 'theirs' }));
    expect(await preview()).toMatchObject({ changes: [] });
    expect(listed(await preview({ prune: true }))).toEqual(['deleted workflow theirs', 'deleted feed Theirs']);
    expect(listed(await promote({ prune: true }))).toEqual(['deleted workflow theirs', 'deleted feed Theirs']);
    await production.get('/v1/workflows/theirs').expect(404);
    expect(await faultsOf(ada.post(PREVIEW, body({ prune: true, workflow: 'order-shipped' })))).toEqual([
      'prune must not be true with a workflow',
    ]);
  });

  it('should say what the target lacks, and promote nothing then', async () => {
    await development.post('/v1/tenants', { identifier: 'acme', name: 'Acme' }).expect(201);
    const override = { workflow: 'order-shipped', tenant: 'acme', active: false };
    await define(development, 'workflow-overrides/order-shipped/acme', override);
    const { faults, digest } = await preview();
    expect(faults).toEqual([expect.stringContaining('workflow override order-shipped for acme: tenant must be')]);
    expect(await faultsOf(ada.post(PROMOTE, body({ digest })))).toEqual(faults);
    await production.get('/v1/workflows/order-shipped').expect(404);
    await production.post('/v1/tenants', { identifier: 'acme', name: 'Acme' }).expect(201);
    expect(listed(await promote()).at(-1)).toBe('created workflow-override order-shipped for acme');
  });

  it('should leave out what is asked, and promote the rest', async () => {
    await development.post('/v1/tenants', { identifier: 'acme', name: 'Acme' }).expect(201);
    const override = { workflow: 'order-shipped', tenant: 'acme', active: false };
    await define(development, 'workflow-overrides/order-shipped/acme', override);
    await define(production, 'feeds/Theirs', { name: 'Theirs' });
    const key = 'workflow-override/order-shipped for acme';
    const { refusals } = await preview();
    expect(refusals).toEqual([
      expect.objectContaining({ key, kind: 'workflow-override', name: 'order-shipped for acme' }),
    ]);
    const leaveOut = [key, 'translation/de', 'feed/Theirs'];
    const shown = await preview({ leaveOut, prune: true });
    expect([shown.faults, shown.refusals]).toEqual([[], []]);
    expect(listed(await promote({ leaveOut, prune: true }))).toContain('created workflow order-shipped');
    await production.get('/v1/translations/de').expect(404);
    expect(await dataOf(production.get('/v1/feeds'), 200)).toContainEqual(expect.objectContaining({ name: 'Theirs' }));
  });

  it('should refuse to leave out what something else needs, or what is not there', async () => {
    const { faults } = await preview({ leaveOut: ['layout/company'] });
    expect(faults).toEqual([
      "workflow order-shipped names a layout 'company', which is left out or in neither environment",
    ]);
    expect(await faultsOf(ada.post(PREVIEW, body({ leaveOut: ['layout/none'] })))).toEqual([
      "leaveOut.0 names 'layout/none', which neither environment has",
    ]);
  });

  it('should keep what was done before something is refused, and say what stopped it', async () => {
    await promote();
    await production.post('/v1/tenants', { identifier: 'acme', name: 'Acme' }).expect(201);
    await define(production, 'feeds/Theirs', { name: 'Theirs' });
    await define(production, 'layouts/theirs', {
      identifier: 'theirs',
      name: 'T',
      content: '{{{body}}}',
      isDefault: true,
    });
    const { changes, fault } = await promote({ prune: true });
    expect(changes.map(({ name }) => name)).toEqual([]);
    expect(fault).toContain('layout theirs: ');
  });

  it('should pass into a read-only environment', async () => {
    await production.patch('/v1/environments/me', { isReadOnly: true }).expect(200);
    await promote();
    expect(await promotedWorkflow()).toMatchObject({ name: 'Order shipped' });
    expect(await codeOf(ada.post('/v1/feeds', { name: 'Mine' }), 403)).toBe('environment_read_only');
  });
});

describe('who may promote', () => {
  const refused = async (by: SignedInBrowser): Promise<string[]> => {
    const digest = 'x';
    return [await codeOf(by.post(PROMOTE, body({ digest })), 403), (await by.post(PREVIEW, body())).text];
  };

  it('should be an editor or owner of the target, who may read the source', async () => {
    const viewer = await person('owner', 'viewer');
    expect(await refused(viewer)).toEqual(['scope_missing', expect.stringContaining('digest')]);
    const reader = await person('viewer', 'editor');
    const { digest } = await dataOf<Preview>(reader.post(PREVIEW, body()), 200);
    await reader.post(PROMOTE, body({ digest })).expect(200);
  });

  it('should be in both environments', async () => {
    const onlyHere = await joined(production, 'owner');
    expect(await refused(onlyHere)).toEqual(['environment_closed', expect.stringContaining('environment_closed')]);
    const onlyThere = await joined(development, 'owner');
    onlyThere.environmentId = production.environmentId;
    expect(await refused(onlyThere)).toEqual(['environment_closed', expect.stringContaining('environment_closed')]);
    const other = await joined((await api.siblings())[0], 'owner');
    expect(await refused(other)).toEqual(['environment_closed', expect.stringContaining('environment_closed')]);
  });

  it('should count at once that a role was taken', async () => {
    const both = await person('editor', 'editor');
    await both.post(PREVIEW, body()).expect(200);
    const { _id } = await dataOf(both.get('/v1/users/session'), 200);
    await development.delete(`/v1/users/${String(_id)}`).expect(204);
    expect(await codeOf(both.post(PREVIEW, body()), 403)).toBe('environment_closed');
  });

  it('should be no API key, which is of one environment', async () => {
    expect(await codeOf(production.post(PREVIEW, body()), 403)).toBe('promotion_needs_person');
    expect(await codeOf(production.post(PROMOTE, body({ digest: 'x' })), 403)).toBe('promotion_needs_person');
  });

  it('should name another environment', async () => {
    const own = { sourceEnvironmentId: production.environmentId };
    expect(await faultsOf(ada.post(PREVIEW, own))).toEqual([
      'sourceEnvironmentId must be another environment than that of the request',
    ]);
    for (const sourceEnvironmentId of [undefined, 'Development', 7]) {
      await ada.post(PREVIEW, { sourceEnvironmentId }).expect(400);
    }
    await ada.post(PROMOTE, body()).expect(400);
    await ada.post(PREVIEW, body({ workflow: {} })).expect(400);
  });
});
