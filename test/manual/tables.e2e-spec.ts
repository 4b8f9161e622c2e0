import { type Condition, CONDITION_ON, evaluateConditions } from '#libs/conditions';
import { type DigestMetadata, digestDueAt } from '#libs/schedule';
import { digestMetadata } from '../../src/engine/delivery/digest/digest.declaration.js';
import { faultsOf } from '#libs/validation';
import { CONDITION_OPERATORS } from '../../libs/conditions/src/condition.schema.js';
import { HELPER_NAMES } from '../../libs/templates/src/helper-names.js';
import { createRenderer } from '../../libs/templates/src/renderer.js';
import { NOTIFICATION_STATUSES, STEP_STATUSES } from '../../src/engine/delivery/records/notification.js';
import { MESSAGE_STATUSES } from '../../src/engine/messages/records/message.enums.js';
import { blocksOf, type Row, tableUnder } from '../support/manual-page.js';

/** Each row of these tables states what the code does with an example. */
describe('tables of docs/manual', () => {
  describe('operators of conditions', () => {
    const rows = tableUnder('conditions.md', 'Operators');

    it('should have every operator and no other', () => {
      expect(new Set(rows.map(({ cells }) => cells[0]))).toEqual(new Set(CONDITION_OPERATORS));
    });

    it.each(rows)('should say in line $line whether the condition passes', async ({ cells }: Row) => {
      const [operator, , found = '', value = '', passes] = cells;
      const condition = { field: 'found', operator, ...(value !== '' && { value: JSON.parse(value) as unknown }) };
      const payload = found === '-' ? {} : { found: JSON.parse(found) as unknown };
      const { passed } = await evaluateConditions([{ children: [condition as Condition] }], {
        variables: { payload },
        now: new Date(),
        renderValue: (template) => template,
      });
      expect(passed ? 'yes' : 'no').toBe(passes);
    });

    it('should have every source of values', () => {
      expect(tableUnder('conditions.md', 'Condition').flatMap(({ cells }) => cells[0] ?? [])).toEqual(
        expect.arrayContaining([...CONDITION_ON]),
      );
    });
  });

  describe('ends of timed digests', () => {
    const NOW = new Date('2026-01-15T10:00:00Z');
    const rows = tableUnder('delays-and-digests.md', 'Timed digests').filter(({ cells }) => cells[0]?.startsWith('{'));

    it('should have an example for each unit', () => {
      const units = rows.map(({ cells }) => (JSON.parse(cells[0] ?? '') as { unit: string }).unit);
      expect(new Set(units)).toEqual(new Set(['minutes', 'hours', 'days', 'weeks', 'months']));
    });

    it.each(rows)('should say in line $line when the digest ends', ({ cells }: Row) => {
      const metadata = { type: 'timed', ...(JSON.parse(cells[0] ?? '') as object) };
      expect(faultsOf(digestMetadata, metadata, 'metadata')).toEqual([]);
      expect(digestDueAt(metadata as DigestMetadata, NOW)).toEqual(new Date(cells[1] ?? ''));
    });
  });

  describe('helpers of templates', () => {
    const rows = tableUnder('templates.md', 'Helpers');
    const data = JSON.parse(blocksOf('templates.md').find(({ purpose }) => purpose === 'data')?.code ?? '') as object;
    const renderer = createRenderer();

    it('should have every helper and no other', () => {
      expect(
        new Set(rows.flatMap(({ cells }) => cells[0]?.split(', ').map((name) => name.replaceAll('`', '')))),
      ).toEqual(HELPER_NAMES);
    });

    it.each(rows)('should show in line $line what the example becomes', ({ cells }: Row) => {
      const [, , source = '', result] = cells;
      expect(renderer.render(source, { ...data })).toBe(result);
    });
  });

  it.each(tableUnder('templates.md', 'Filters of Herald'))(
    'should show in line $line what the example of Liquid becomes',
    ({ cells }: Row) => {
      const [, , source = '', result] = cells;
      const { code = '' } = blocksOf('templates.md').find(({ purpose }) => purpose === 'data') ?? {};
      const data = JSON.parse(code) as Record<string, unknown>;
      expect(createRenderer().render(source, data, { language: 'liquid' })).toBe(result);
    },
  );

  it('should have every state of notifications, jobs and messages', () => {
    const shown = tableUnder('concepts.md', 'States').flatMap(({ cells: [state = ''] }) =>
      /^[a-z]+$/.test(state) ? [state] : [],
    );
    const known = [...NOTIFICATION_STATUSES, ...STEP_STATUSES, ...MESSAGE_STATUSES];
    expect(shown.sort()).toEqual([...known].sort());
  });
});
