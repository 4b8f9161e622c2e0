import { groupWords } from './condition-words.js';

describe('groupWords', () => {
  it('words each source of a condition', () => {
    const [group] = groupWords(
      [
        {
          value: 'AND',
          children: [
            { field: 'order.total', operator: 'LARGER', value: 100 },
            { on: 'subscriber', field: 'data.plan', operator: 'IN', value: ['pro', 'business'] },
            { on: 'tenant', field: 'name', operator: 'IS_DEFINED', value: '' },
            { on: 'isOnline', value: false },
            { on: 'isOnlineInLast', value: 10, timeOperator: 'minutes' },
            { on: 'previousStep', step: 'u-1', stepType: 'unread' },
            { on: 'webhook', webhookUrl: 'https://me.example', field: 'isWelcome', operator: 'EQUAL', value: true },
          ],
        },
      ],
      (uuid) => `step ${uuid}`,
    );
    expect(group?.conditions.map((words) => Object.values(words).join(' | '))).toEqual([
      'payload.order.total | is larger than | 100',
      'subscriber.data.plan | is one of | pro, business',
      'tenant.name | is defined | ',
      'the subscriber | is not online | ',
      'the subscriber | was online in the last | 10 minutes',
      'the message of step u-1 | is unread | ',
      'isWelcome in the response of https://me.example | is | true',
    ]);
    expect(group).toMatchObject({ joint: 'and', isNegated: false });
  });

  it('has nothing to say if there are no conditions, or a group without any', () => {
    expect(groupWords(undefined)).toEqual([]);
    expect(groupWords([{ children: [] }, { children: [{ field: 'a', value: 1 }] }])).toEqual([]);
  });

  it('knows alternatives and negations', () => {
    expect(groupWords([{ value: 'OR', isNegated: true, children: [{ field: 'a', value: 1 }] }])).toMatchObject([
      { joint: 'or', isNegated: true },
    ]);
  });
});
