import { Concealed } from '#libs/http-kit';
import { auditChanges } from './audit-changes.js';

const changesOf = (before: unknown, after: unknown, personal?: true | readonly string[]): unknown =>
  auditChanges(before, after, personal).changes;

describe('auditChanges', () => {
  it('should name each value that differs, and nothing of what every write changes', () => {
    const before = { _id: '1', updatedAt: new Date(1), name: 'a', tags: ['x'], limit: { max: 1 } };
    const after = { _id: '1', updatedAt: new Date(2), name: 'a', tags: ['x', 'y'], limit: { max: 2 }, active: false };
    expect(changesOf(before, after)).toEqual([
      { path: 'limit.max', before: 1, after: 2 },
      { path: 'tags.1', after: 'y' },
      { path: 'active', after: false },
    ]);
  });

  it('should match entries of lists by their ids, so that one at the beginning changes no other', () => {
    const mail = { uuid: 'mail', subject: 'Hello' };
    expect(changesOf({ steps: [mail] }, { steps: [{ uuid: 'wait', amount: 5 }, mail] })).toEqual([
      { path: 'steps.wait.uuid', after: 'wait' },
      { path: 'steps.wait.amount', after: 5 },
    ]);
  });

  it('should tell that a secret changed, and neither value', () => {
    const secret = (value: string): object => ({ credentials: { host: 'a', password: new Concealed(value) } });
    expect(changesOf(secret('one'), secret('one'))).toEqual([]);
    const changed = changesOf(secret('one'), secret('two'));
    expect(changed).toEqual([{ path: 'credentials.password', hidden: 'secret' }]);
    expect(changesOf(undefined, secret('two'))).toContainEqual({ path: 'credentials.password', hidden: 'secret' });
    // What was shown and is a secret now is not told either.
    expect(changesOf({ credentials: { password: 'x' } }, secret('two'))).toContainEqual({
      path: 'credentials.password',
      hidden: 'secret',
    });
  });

  it('should name the fields of people without their values', () => {
    expect(changesOf({ email: 'a@example.com' }, { email: 'b@example.com' }, true)).toEqual([
      { path: 'email', hidden: 'personal' },
    ]);
    expect(changesOf({ name: 'a', to: ['ada'] }, { name: 'b', to: ['bob'] }, ['to'])).toEqual([
      { path: 'name', before: 'a', after: 'b' },
      { path: 'to.0', hidden: 'personal' },
    ]);
  });

  it('should show where long texts differ', () => {
    const text = 'a'.repeat(50_000);
    const [change] = auditChanges({ content: `${text}b${text}` }, { content: `${text}c${text}` }).changes;
    expect(change).toMatchObject({ path: 'content', shortened: true });
    expect(change?.before).toMatch(/^…a{80}ba+…$/);
    expect(change?.after).toMatch(/^…a{80}ca+…$/);
    expect(auditChanges({ content: text }, { content: `${text}b` }).changes[0]).toMatchObject({
      before: `…${'a'.repeat(80)}`,
      after: `…${'a'.repeat(80)}b`,
    });
  });

  it('should stop, and say so', () => {
    const many = (value: number): object => ({
      data: Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`k${n}`, value])),
    });
    expect(auditChanges(many(1), many(2))).toMatchObject({ hasMore: true, changes: { length: 200 } });
    const huge = { list: Array.from({ length: 100_000 }, (_, n) => n) };
    expect(auditChanges(undefined, huge).hasMore).toBe(true);
  });

  it('should leave out what a name of great length leads to, without copying the name', () => {
    const members = Object.fromEntries(Array.from({ length: 14_000 }, (_, n) => [`k${n}`, n]));
    const found = auditChanges(undefined, { data: { ['n'.repeat(100_000)]: members, short: 1 } });
    expect(found).toEqual({ changes: [{ path: 'data.short', after: 1 }], hasMore: true });
  });
});
