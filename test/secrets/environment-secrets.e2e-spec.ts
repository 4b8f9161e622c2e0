import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { useHerald } from '../support/herald.js';
import type { TestSession } from '../harness/index.js';

const PATH = '/v1/secrets';

describe('secrets of an environment', () => {
  const api = useHerald();
  let one: TestSession;
  let other: TestSession;

  beforeEach(async () => {
    [one, other] = await api.siblings();
  });

  const set = (name: string, value: unknown, by = one): Promise<Json> =>
    dataOf(by.put(`${PATH}/${name}`, { value, hosts: ['crm.example.com'] }), 200);
  const names = async (by = one): Promise<unknown[]> =>
    (await dataOf<Json[]>(by.get(PATH), 200)).map(({ name }) => name);

  it('should be listed by name, without values', async () => {
    await set('B_KEY', 'second');
    const made = await set('A_KEY', 'first');
    expect(Object.keys(made).sort()).toEqual(['createdAt', 'hosts', 'name', 'updatedAt']);
    const answer = await one.get(PATH).expect(200);
    expect(await names()).toEqual(['A_KEY', 'B_KEY']);
    expect(JSON.stringify(answer.body)).not.toMatch(/first|second|sealed/);
  });

  it('should be replaced by name, also by two callers at once', async () => {
    const before = await set('KEY', 'old');
    const after = await set('KEY', 'new');
    expect(after).toMatchObject({ name: 'KEY', createdAt: before['createdAt'] });
    await Promise.all(Array.from({ length: 8 }, (_, n) => set('RACE', `value ${n}`)));
    expect(await names()).toEqual(['KEY', 'RACE']);
  });

  it('should be of one environment', async () => {
    await set('KEY', 'value');
    expect(await names(other)).toEqual([]);
    expect(await codeOf(other.delete(`${PATH}/KEY`), 404)).toBe('secret_not_found');
    await one.delete(`${PATH}/KEY`).expect(204);
    expect(await names()).toEqual([]);
    expect(await codeOf(one.delete(`${PATH}/KEY`), 404)).toBe('secret_not_found');
    await set('KEY', 'again');
    expect(await names()).toEqual(['KEY']);
  });

  it('should be refused with a name or a value that cannot be used', async () => {
    for (const name of ['1KEY', 'a-b', '%20', 'x'.repeat(65), '__proto__']) {
      const body = { value: 'x', hosts: ['crm.example.com'] };
      expect(await codeOf(one.put(`${PATH}/${name}`, body), 400)).toBe('invalid_secret_name');
    }
    for (const value of ['', 5, 'x'.repeat(8_193), null, 'nvsk.00']) {
      const body = { value, hosts: ['crm.example.com'] };
      expect(faultsOf(await one.put(`${PATH}/KEY`, body).expect(400)).length).toBeGreaterThan(0);
    }
  });

  it('should be bound to hosts, which change together with the value only', async () => {
    const fault = 'hosts is required: name the hosts that the secret may be sent to, such as ["api.example.com"]';
    expect(faultsOf(await one.put(`${PATH}/KEY`, { value: 'x' }).expect(400))).toEqual([fault]);
    for (const hosts of [[], ['https://example.com'], ['example.com:1'], ['*.com'], 'example.com', [5]]) {
      expect(faultsOf(await one.put(`${PATH}/KEY`, { value: 'x', hosts }).expect(400)).length).toBeGreaterThan(0);
    }
    const hosts = ['CRM.example.com', '*.Example.org', 'crm.example.com'];
    const kept = ['crm.example.com', '*.example.org'];
    expect(await dataOf(one.put(`${PATH}/KEY`, { value: 'x', hosts }), 200)).toMatchObject({ hosts: kept });
    expect(await dataOf(one.put(`${PATH}/KEY`, { value: 'y' }), 200)).toMatchObject({ hosts: kept });
    const faults = ['value is required; hosts cannot be changed without it'];
    expect(faultsOf(await one.put(`${PATH}/KEY`, { hosts: ['evil.example'] }).expect(400))).toEqual(faults);
    expect(faultsOf(await one.put(`${PATH}/NONE`, { hosts: ['evil.example'] }).expect(400))).toEqual(faults);
    expect(await dataOf(one.get(PATH), 200)).toMatchObject([{ name: 'KEY', hosts: kept }]);
    const moved = { value: 'z', hosts: ['new.example.com'] };
    expect(await dataOf(one.put(`${PATH}/KEY`, moved), 200)).toMatchObject({ hosts: ['new.example.com'] });
  });
});
