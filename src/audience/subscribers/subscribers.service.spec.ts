import { getModelToken } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import type { TenantContext } from '#libs/common';
import type { TenantModel } from '#libs/persistence';
import { seeded } from '../../../test/support/schedules.js';
import { tenantOf } from '../../../test/support/service-tenant.js';
import { useSession, useTestApi } from '../../../test/support/test-api.js';
import { Subscriber } from './subscriber.schema.js';
import { SubscribersService } from './subscribers.service.js';

const api = useTestApi();
let subscribers: SubscribersService;
let tenant: TenantContext;
const session = useSession(api);

beforeAll(() => {
  subscribers = api.app.get(SubscribersService);
});
beforeEach(() => {
  tenant = tenantOf(session);
});

describe('create', () => {
  it('should give each of many concurrent callers the record with what it sent', async () => {
    await subscribers.create(tenant, { subscriberId: 's0', lastName: 'Old', firstName: 'x' });
    const sent = Array.from({ length: 60 }, (_, place) => ({ subscriberId: `s${place % 40}`, firstName: `f${place}` }));
    const answers = await Promise.all(sent.map((dto) => subscribers.create(tenant, dto)));
    expect(answers).toEqual(sent.map((dto) => expect.objectContaining(dto) as unknown));
    expect(answers[0]).toMatchObject({ lastName: 'Old' });
    const { data } = await subscribers.list(tenant, { page: 0, limit: 100 });
    expect(new Map(data.map(({ subscriberId, _id }) => [subscriberId, _id])).size).toBe(40);
    expect(data).toHaveLength(40);
    for (const [place, { _id }] of answers.entries()) expect(_id).toBe(answers[place % 40]?._id);
  });

  it('should store the same whether a caller is alone or not', async () => {
    const full = {
      ...{
        firstName: 'Ada',
        lastName: 'Lovelace',
        email: 'Ada@example.com',
        phone: '+15551230100',
        avatar: 'https://a.example',
      },
      ...{ locale: 'en-GB', timezone: 'Europe/London', data: { deep: [1, { two: null }], 'a.b': 'c' } },
    };
    const without = { firstName: null, email: null, lastName: 'Alone' } as object;
    const stored = async (ids: string[]): Promise<object[]> => {
      const rows = await api.app
        .get<TenantModel<Subscriber>>(getModelToken(Subscriber.name))
        .find({ _environmentId: tenant.environmentId, subscriberId: { $in: ids } })
        .sort({ subscriberId: 1 })
        .lean();
      return rows.map(({ _id, subscriberId, createdAt, updatedAt, ...row }) => {
        expect(ids).toContain(subscriberId);
        expect([_id, createdAt, updatedAt]).toEqual([expect.any(Types.ObjectId), expect.any(Date), expect.any(Date)]);
        return row;
      });
    };
    for (const [id, profile] of [
      ['a', full],
      ['b', without],
      ['c', {}],
    ] as const)
      await subscribers.create(tenant, { subscriberId: `alone-${id}`, ...profile });
    const answers = await Promise.all(
      (
        [
          ['a', full],
          ['b', without],
          ['c', {}],
        ] as const
      ).map(([id, profile]) => subscribers.create(tenant, { subscriberId: `many-${id}`, ...profile })),
    );
    const names = ['a', 'b', 'c'];
    expect(await stored(names.map((id) => `many-${id}`))).toEqual(await stored(names.map((id) => `alone-${id}`)));
    for (const answer of answers) expect(await subscribers.get(tenant, answer.subscriberId)).toEqual(answer);
    await Promise.all(['x', 'y'].map((id) => subscribers.forSession(tenant, `many-${id}`)));
    for (const id of ['x', 'y']) await subscribers.forSession(tenant, `alone-${id}`);
    expect(await stored(['many-x', 'many-y'])).toEqual(await stored(['alone-x', 'alone-y']));
  });

  it('should show each caller its own writes, whatever others do', async () => {
    const random = seeded(20_261_128);
    const chain = async (client: number): Promise<void> => {
      for (let step = 0; step < 12; step++) {
        const subscriberId = `own-${client}`;
        const kind = random();
        if (kind < 0.6) {
          await subscribers.create(tenant, { subscriberId, firstName: `${step}` });
          expect(await subscribers.get(tenant, subscriberId)).toMatchObject({ firstName: `${step}` });
        } else {
          await subscribers.create(tenant, { subscriberId });
          await subscribers.remove(tenant, subscriberId);
          await expect(subscribers.get(tenant, subscriberId)).rejects.toThrow(subscriberId);
        }
      }
    };
    await Promise.all(Array.from({ length: 24 }, (_, client) => chain(client)));
  });

  it('should refuse what the store refuses without the others', async () => {
    const wrong = { subscriberId: 'wrong', data: { text: 'x'.repeat(17 * 1024 * 1024) } };
    const [good, bad, also] = await Promise.allSettled(
      [{ subscriberId: 'good' }, wrong, { subscriberId: 'also' }].map((dto) => subscribers.create(tenant, dto)),
    );
    expect([good?.status, bad?.status, also?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await expect(subscribers.get(tenant, 'wrong')).rejects.toThrow('wrong');
  });
});

describe('upsertMany', () => {
  it('should create what is new, change what differs and return all', async () => {
    await subscribers.upsertMany(tenant, [{ subscriberId: 'old', firstName: 'Old', email: 'old@example.com' }]);
    const resolved = await subscribers.upsertMany(tenant, [
      { subscriberId: 'old', lastName: 'Lee', email: null },
      { subscriberId: 'new', data: { a: 1 } },
    ]);
    expect(resolved.get('old')).toMatchObject({ firstName: 'Old', lastName: 'Lee' });
    expect(resolved.get('old')).not.toHaveProperty('email');
    expect(resolved.get('new')).toMatchObject({ subscriberId: 'new', data: { a: 1 }, channels: [], badAddresses: {} });
    expect(await subscribers.findByExternalIds(tenant, ['old', 'new', 'none'])).toEqual(resolved);
  });

  it('should not write a recipient that is as described already', async () => {
    const definition = { subscriberId: 'same', firstName: 'Ann', data: { deep: [1, { two: null }] } };
    await subscribers.upsertMany(tenant, [definition]);
    const before = await subscribers.get(tenant, 'same');
    await subscribers.upsertMany(tenant, [definition, { subscriberId: 'same', lastName: null }]);
    expect(await subscribers.get(tenant, 'same')).toEqual(before);
  });

  it('should make one of many that come at once, and a new one of a deleted id', async () => {
    await subscribers.upsertMany(tenant, [{ subscriberId: 'dead' }]);
    await subscribers.remove(tenant, 'dead');
    const ids = ['dead', ...Array.from({ length: 9 }, (_, i) => `r${i}`)];
    const definitions = ids.map((subscriberId) => ({ subscriberId, firstName: 'x' }));
    await Promise.all(Array.from({ length: 8 }, () => subscribers.upsertMany(tenant, definitions)));
    const { data } = await subscribers.list(tenant, { page: 0, limit: 100 });
    expect(data.map(({ subscriberId }) => subscriberId).sort()).toEqual([...ids].sort());
  });
});

describe('forSession', () => {
  const name = () => subscribers.forSession(tenant, 'ada');

  it('should leave an existing subscriber as it is', async () => {
    const { _id } = await subscribers.create(tenant, { subscriberId: 'ada', firstName: 'Ada' });
    expect(await name()).toMatchObject({ _id, firstName: 'Ada' });
    expect(await subscribers.get(tenant, 'ada')).toMatchObject({ firstName: 'Ada' });
  });

  it('should make one record of many that come at once, which only sessions know', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, name));
    expect(new Set(made.map(({ _id }) => _id)).size).toBe(1);
    expect((await subscribers.findByExternalIds(tenant, ['ada'])).size).toBe(0);
    expect(await subscribers.readPage(tenant, { limit: 10 })).toEqual([]);
    expect((await subscribers.list(tenant, { page: 0, limit: 10 })).data).toEqual([]);
    await expect(subscribers.get(tenant, 'ada')).rejects.toThrow("no subscriber 'ada'");
    await expect(subscribers.setOnline(tenant, 'ada', { online: true })).rejects.toThrow("no subscriber 'ada'");
  });

  it('should become a subscriber with the same record id when a key names it', async () => {
    const { _id } = await name();
    expect(await subscribers.create(tenant, { subscriberId: 'ada' })).toMatchObject({ _id });
    expect(await subscribers.readPage(tenant, { limit: 10 })).toMatchObject([{ _id }]);
    expect(await name()).toMatchObject({ _id });
  });

  it('should be another record after a deletion', async () => {
    const before = await name();
    await subscribers.remove(tenant, 'ada');
    expect((await name())._id).not.toBe(before._id);
  });
});

describe('readPage', () => {
  it('should give every subscriber once, page after page, and no deleted or foreign one', async () => {
    const ids = Array.from({ length: 7 }, (_, i) => `s${i}`);
    await subscribers.upsertMany(
      tenant,
      ids.map((subscriberId) => ({ subscriberId })),
    );
    await subscribers.remove(tenant, 's3');
    const seen: string[] = [];
    for (let after: string | undefined; ;) {
      const page = await subscribers.readPage(tenant, { limit: 2, ...(after !== undefined && { after }) });
      seen.push(...page.map(({ subscriberId }) => subscriberId));
      after = page.at(-1)?._id;
      if (page.length < 2) break;
    }
    expect(seen.sort()).toEqual(ids.filter((id) => id !== 's3'));
  });
});

describe('findByIds', () => {
  it('should find by record id, in the own environment only', async () => {
    const made = await subscribers.create(tenant, { subscriberId: 'ann', firstName: 'Ann' });
    expect((await subscribers.findById(tenant, made._id))?.firstName).toBe('Ann');
    const other = await api.session();
    expect(await subscribers.findById({ environmentId: other.environmentId }, made._id)).toBeUndefined();
    expect(await subscribers.findByIds(tenant, [])).toEqual(new Map());
  });
});
