import { TOTP } from 'otpauth';
import { TestSession } from '../harness/index.js';
import { GIVING } from '../../src/platform/auth/caller-rights.js';
import { OPERATIONS } from '../access/operations.js';
import { agentKey } from '../support/agents.js';
import { codeOf, dataOf, type Json } from '../support/answers.js';
import { joined, PASSWORD, type SignedInBrowser } from '../support/signed-in-browser.js';
import { useSession, useTestApi } from '../support/test-api.js';

const api = useTestApi();
const session = useSession(api);

type Person = SignedInBrowser & { email: string };

const people = (): Promise<(Json & { _id: string; email: string })[]> => dataOf(session.get('/v1/users'), 200);
const found = async ({ email }: { email: string }): Promise<Json & { _id: string }> => {
  const person = (await people()).find((one) => one.email === email);
  if (person === undefined) throw new Error(`Nobody has the address ${email}.`);
  return person;
};
const keys = (): Promise<Json[]> => dataOf(session.get('/v1/environments/api-keys/all'), 200);
const namesOf = async (): Promise<unknown[]> => (await keys()).map(({ _id }) => _id);

/** A request of an owner that gives somebody rights, and what has changed once it is over. */
interface Gift {
  readonly give: (owner: Person) => PromiseLike<{ status: number }>;
  readonly look: () => Promise<unknown>;
}

const MAIL = { channel: 'email', providerId: 'nodemailer', credentials: {} };

/** By the id of the operation. */
const GIFTS: Record<string, () => Promise<Gift>> = {
  changeUserRole: async () => {
    const viewer = await found(await joined(session, 'viewer'));
    return {
      give: (owner) => owner.patch(`/v1/users/${viewer._id}`, { role: 'owner' }),
      look: async () => (await people()).filter(({ _id }) => _id === viewer._id),
    };
  },
  issueApiKey: () =>
    Promise.resolve({ give: (owner) => owner.post('/v1/environments/api-keys', { name: 'mine' }), look: namesOf }),
  rotateApiKey: async () => {
    const { _id } = await dataOf(session.post('/v1/environments/api-keys', { name: 'old' }), 201);
    return { give: (owner) => owner.post(`/v1/environments/api-keys/${String(_id)}/rotate`), look: namesOf };
  },
  updateApiKey: async () => {
    const { _id } = await agentKey(session, { limits: { people: 1 } });
    return {
      give: (owner) => owner.patch(`/v1/environments/api-keys/${_id}`, { limits: { people: 500, sendWindow: null } }),
      look: async () => {
        const keys = await dataOf<Json[]>(session.get('/v1/environments/api-keys/all'), 200);
        return keys.filter((key) => key['_id'] === _id).map(({ limits }) => limits);
      },
    };
  },
  setSystemMail: async () => {
    const { _id } = await dataOf(session.post('/v1/integrations', { ...MAIL, active: false, check: false }), 201);
    return {
      give: (owner) => owner.put(`/v1/integrations/${String(_id)}/system-mail`, { isOn: true }),
      look: async () => {
        const all = await dataOf<Json[]>(session.get('/v1/integrations'), 200);
        return all.map(({ _id: id, sendsSystemMail }) => ({ id, sendsSystemMail }));
      },
    };
  },
  resetUserTotp: async () => {
    const viewer = await joined(session, 'viewer');
    const { secret } = await dataOf<{ secret: string }>(viewer.post('/v1/users/me/totp', { password: PASSWORD }), 201);
    await viewer.post('/v1/users/me/totp/confirm', { code: new TOTP({ secret }).generate() }).expect(201);
    const { _id } = await found(viewer);
    return {
      give: (owner) => owner.delete(`/v1/users/${_id}/totp`),
      look: async () => (await found(viewer))['hasTotp'],
    };
  },
};

/** They give nobody rights that outlive the request, or look at whoever gave them each time that they are used. */
const GIVE_NOTHING = [
  'exportSubscriber',
  'getWebhookSecret',
  'rotateWebhookSecret',
  'setSecret',
  'deleteSecret',
  'getConditionWebhookSecret',
  'rotateConditionWebhookSecret',
  'listUsers',
  'listInvitations',
  'inviteUser',
  'withdrawInvitation',
  'removeUser',
  'recoverUser',
  'listUserSessions',
  'endUserSessions',
  'listAuditLog',
  'exportAuditLog',
  'updateCurrentEnvironment',
  'revealApiKeys',
  'listApiKeys',
  'revokeApiKey',
  'endEnvironmentSessions',
  'renameOrganization',
  'listWork',
];

it('every operation that needs the scope admin should say whether it gives rights', () => {
  const needing = Object.entries(OPERATIONS).flatMap(([id, gate]) => (gate === 'admin' ? [id] : []));
  expect([...Object.keys(GIFTS), ...GIVE_NOTHING].sort()).toEqual(needing.sort());
});

describe('a request that gives rights', () => {
  it.each(
    Object.keys(GIFTS).flatMap((operation) =>
      ['demoted', 'removed', 'signed out'].map((how) => [operation, how] as const),
    ),
  )('%s should give nothing if its owner is %s after the look at what they may', async (operation, how) => {
    const owner = await joined(session, 'owner');
    const { _id } = await found(owner);
    const { give, look } = await prepared(operation);
    const before = await look();
    GIVING.armOnce(async () => {
      if (how === 'demoted') await session.patch(`/v1/users/${_id}`, { role: 'editor' }).expect(200);
      else if (how === 'removed') await session.delete(`/v1/users/${_id}`).expect(204);
      else await session.delete(`/v1/users/${_id}/sessions`).expect(204);
    });
    const { status } = await give(owner);
    expect([401, 403]).toContain(status);
    expect(await look()).toEqual(before);
  });

  it('should give what it gives if its owner stays one', async () => {
    for (const operation of Object.keys(GIFTS)) {
      const { give, look } = await prepared(operation);
      const before = await look();
      expect((await give(await joined(session, 'owner'))).status).toBeLessThan(300);
      expect(await look()).not.toEqual(before);
    }
  });

  it('should give nothing if its key is revoked meanwhile', async () => {
    const viewer = await found(await joined(session, 'viewer'));
    const revoked = async (): Promise<TestSession> => {
      const { _id, key } = await dataOf(session.post('/v1/environments/api-keys', { name: 'short' }), 201);
      GIVING.armOnce(async () => {
        await session.delete(`/v1/environments/api-keys/${String(_id)}`).expect(204);
      });
      const { organizationId, environmentId, baseUrl } = session;
      return new TestSession(baseUrl, { apiKey: String(key), organizationId, environmentId });
    };
    const role = (await revoked()).patch(`/v1/users/${viewer._id}`, { role: 'owner' });
    expect(await codeOf(role, 403)).toBe('not_your_environment');
    const issue = (await revoked()).post('/v1/environments/api-keys', { name: 'mine' });
    expect(await codeOf(issue, 401)).toBe('unauthorized');
    expect((await people()).find(({ _id }) => _id === viewer._id)?.['role']).toBe('viewer');
    expect((await keys()).map(({ name }) => name)).not.toContain('mine');
  });

  it('should take a role back as it was, and no further', async () => {
    const [owner, other, person] = [
      await joined(session, 'owner'),
      await joined(session, 'owner'),
      await joined(session, 'viewer'),
    ];
    const { _id } = await found(person);
    const { _id: ownerId } = await found(owner);
    GIVING.armOnce(async () => {
      await session.patch(`/v1/users/${ownerId}`, { role: 'viewer' }).expect(200);
      // What somebody else gives stays.
      await other.patch(`/v1/users/${_id}`, { role: 'owner' }).expect(200);
    });
    // There is nothing to raise any more.
    await owner.patch(`/v1/users/${_id}`, { role: 'owner' });
    expect((await found(person))['role']).toBe('owner');
  });
});

async function prepared(operation: string): Promise<Gift> {
  const prepare = GIFTS[operation];
  if (prepare === undefined) throw new Error(`There is no gift ${operation}.`);
  return prepare();
}
