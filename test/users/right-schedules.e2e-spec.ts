import { mongo } from 'mongoose';
import type { Caller } from '#libs/common';
import { Authority } from '../../src/people/users/authority.js';
import type { Role } from '../../src/people/users/roles.js';
import type { Membership } from '../../src/people/users/user.schema.js';
import { UsersService } from '../../src/people/users/users.service.js';
import type { ApiKeysService } from '../../src/platform/auth/api-keys.service.js';
import { CallerKeysService } from '../../src/platform/auth/caller-keys.service.js';
import { CallerRights } from '../../src/platform/auth/caller-rights.js';
import { scopesOf } from '../../src/people/users/roles.js';
import { repetitions } from '../harness/index.js';
import { MemoryCollection, MemoryDocuments } from '../support/memory-collection.js';
import { Schedule, seeded } from '../support/schedules.js';

const ORDERS = repetitions({ short: 1_500, long: 50_000 });
const _environmentId = new mongo.ObjectId();
const _organizationId = new mongo.ObjectId();

type Doc = Record<string, unknown>;
interface Member extends Doc {
  readonly _id: mongo.ObjectId;
  readonly memberships: readonly Membership[];
}

/** As much of a model as the services call. */
function modelOf(collection: MemoryCollection): object {
  const query = (answer: Promise<unknown>): object => ({ lean: () => ({ exec: () => answer }) });
  const cast = (where: Doc): Doc =>
    typeof where['_id'] === 'string' ? { ...where, _id: new mongo.ObjectId(where['_id']) } : where;
  return {
    findOne: (where: Doc) => query(collection.findOne(cast(where))),
    findById: (id: string) => query(collection.findOne(cast({ _id: id }))),
    updateOne: (where: Doc, update: Doc) => collection.updateOne(cast(where), update),
    findOneAndUpdate: (where: Doc, update: Doc, options: object) =>
      query(collection.findOneAndUpdate(cast(where), update, options)),
  };
}

/** An owner raises somebody and issues a key, while another owner demotes or removes them. */
class Race {
  readonly owner = this.person('owner');
  readonly other = this.person('owner');
  readonly viewer = this.person('viewer');
  private readonly schedule: Schedule;
  private writes = 0;
  /** The write with which something came about. */
  private readonly at = { raised: 0, issued: 0, lost: Number.POSITIVE_INFINITY };
  private readonly users = new MemoryDocuments(undefined, (doc) => this.note(doc as Member));
  private readonly keys = new MemoryDocuments();

  constructor(
    seed: number,
    private readonly how: 'demoted' | 'removed',
  ) {
    this.schedule = new Schedule(seeded(seed));
    for (const one of [this.owner, this.other, this.viewer]) this.users.put(one);
  }

  /** @returns what was given, and whether its owner had lost the right to before */
  async run(): Promise<object> {
    const requests = [this.raise(0), this.issue(1), this.lose(2)].map((one) => one.catch(() => undefined));
    while (await this.schedule.step());
    await Promise.all(requests);
    const viewer = this.users.plain().find(({ _id }) => this.viewer._id.equals(_id as mongo.ObjectId)) as Member;
    return {
      role: viewer.memberships[0]?.role === 'owner' && this.at.raised > this.at.lost,
      key: this.keys.plain().length > 0 && this.at.issued > this.at.lost,
      // What is not given has left no trace.
      issuedBy: viewer.memberships[0]?.role === 'viewer' && viewer.memberships[0].issuedBy !== undefined,
    };
  }

  private async raise(worker: number): Promise<void> {
    await this.services(worker).users.changeRole(this.callerOf(this.owner), this.viewer._id.toHexString(), 'owner');
  }

  private async issue(worker: number): Promise<void> {
    await this.services(worker).keys.issue(this.callerOf(this.owner), { name: 'mine' });
  }

  private async lose(worker: number): Promise<void> {
    const { users } = this.services(worker);
    const id = this.owner._id.toHexString();
    if (this.how === 'removed') await users.remove(this.callerOf(this.other), id);
    else await users.changeRole(this.callerOf(this.other), id, 'editor');
  }

  private note({ _id, memberships }: Member): void {
    this.writes += 1;
    const role = memberships[0]?.role;
    if (this.viewer._id.equals(_id) && role === 'owner') this.at.raised = this.writes;
    if (this.owner._id.equals(_id) && role !== 'owner') this.at.lost = Math.min(this.at.lost, this.writes);
  }

  private person(role: Role): Member {
    const _id = new mongo.ObjectId();
    return {
      _id,
      email: `${_id.toHexString()}@example.com`,
      memberships: [{ _organizationId, _environmentId, role }],
    };
  }

  private callerOf({ _id }: Member): Caller {
    const userId = _id.toHexString();
    return {
      organizationId: _organizationId.toHexString(),
      environmentId: _environmentId.toHexString(),
      userId,
      apiKeyId: userId,
      scopes: scopesOf('owner'),
      person: { userId, sessionId: userId, email: '', name: '' },
    };
  }

  private services(worker: number): { readonly users: UsersService; readonly keys: CallerKeysService } {
    const yields = (): Promise<void> => this.schedule.point(worker);
    const collection = new MemoryCollection(this.users, yields);
    const stored = new MemoryCollection(this.keys, yields);
    const model = modelOf(collection) as never;
    const keys = {
      issue: async () => {
        const _id = new mongo.ObjectId();
        await yields();
        this.keys.put({ _id });
        this.at.issued = ++this.writes;
        await yields();
        return { _id };
      },
      discard: (_id: mongo.ObjectId) => stored.deleteOne({ _id }),
    } as unknown as ApiKeysService;
    const rights = new CallerRights(keys);
    rights.readPeopleBy(async ({ userId }) => {
      const user = (await collection.findOne({ _id: new mongo.ObjectId(userId) })) as Member | null;
      const role = user?.memberships[0]?.role;
      return { scopes: role === undefined ? [] : scopesOf(role) };
    });
    const authority = new Authority(model, keys, rights, { now: () => new Date() });
    const sessions = { forget: () => undefined, endAccountWithoutRole: yields };
    const links = { withdrawAllBy: yields, withdrawRecoveriesOf: yields };
    return {
      users: new UsersService(model, sessions as never, links as never, {} as never, {} as never, authority),
      keys: new CallerKeysService(keys, rights),
    };
  }
}

describe('an owner who gives rights and loses theirs, in any order of the writes', () => {
  it.each(['demoted', 'removed'] as const)('should give nothing after that: %s', async (how) => {
    for (let seed = 0; seed < ORDERS; seed += 1) {
      expect({ seed, ...(await new Race(seed, how).run()) }).toEqual({
        seed,
        role: false,
        key: false,
        issuedBy: false,
      });
    }
  });
});
