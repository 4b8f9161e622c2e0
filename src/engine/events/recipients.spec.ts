import { createValidationPipe } from '#libs/http-kit';
import { TriggerEventDto } from './event.dto.js';
import { parseRecipients } from './recipients.js';

describe('parseRecipients', () => {
  it.each([
    ['an id', 'ann', { list: [{ subscriberId: 'ann' }], topics: [] }],
    ['an id with blanks around it', ' ann ', { list: [{ subscriberId: 'ann' }], topics: [] }],
    [
      'a description',
      { subscriberId: 'ann', email: 'ann@example.com', phone: null },
      { list: [{ subscriberId: 'ann', email: 'ann@example.com' }], topics: [] },
    ],
    ['a topic', { type: 'Topic', topicKey: 'news' }, { list: [], topics: ['news'] }],
    [
      'a topic without some of its members',
      [
        { type: 'Topic', topicKey: 'news', exclude: ['ann', ' bob '] },
        { type: 'Topic', topicKey: 'news', exclude: ['bob', 'carl'] },
        { type: 'Topic', topicKey: 'all', exclude: [] },
        { type: 'Topic', topicKey: 'rest', exclude: null },
      ],
      {
        list: [],
        topics: ['news', 'all', 'rest'],
        without: [{ topicKey: 'news', subscriberIds: ['ann', 'bob', 'carl'] }],
      },
    ],
    [
      'a mixed list with nulls',
      ['ann', null, { subscriberId: 'bob' }, { type: 'Topic', topicKey: 'news' }],
      { list: [{ subscriberId: 'ann' }, { subscriberId: 'bob' }], topics: ['news'] },
    ],
    [
      'somebody twice: the last description wins',
      ['ann', { subscriberId: 'ann', firstName: 'Ann' }],
      { list: [{ subscriberId: 'ann', firstName: 'Ann' }], topics: [] },
    ],
    [
      'channels',
      { subscriberId: 'ann', channels: [{ providerId: 'slack', credentials: { webhookUrl: 'https://x.test' } }] },
      {
        list: [
          {
            subscriberId: 'ann',
            channels: [{ providerId: 'slack', credentials: { webhookUrl: 'https://x.test' } }],
          },
        ],
        topics: [],
      },
    ],
  ])('should read %s', (_case, to, recipients) => {
    expect(parseRecipients(to)).toMatchObject({ recipients, faults: [] });
  });

  it.each([
    ['a number', 5, ['to must be a subscriberId']],
    ['an empty list', [], ['to must name at least one']],
    ['a segment without an id', { type: 'Segment', segmentId: '' }, ['to.segmentId must be a string of 1 to']],
    ['a rate of nobody', { type: 'Segment', segmentId: 'a', perMinute: 0 }, ['to.perMinute must be a whole number']],
    [
      'too many segments',
      Array.from({ length: 21 }, (_, n) => ({ type: 'Segment', segmentId: `s${n}` })),
      ['to must not name more than 20 segments'],
    ],
    ['a list of nulls', [null], ['to must name at least one']],
    ['an empty object in a list', [{}], ['to.0.subscriberId must be a string']],
    ['an empty id', '  ', ['to must not be empty']],
    ['a list as id', { subscriberId: ['ann'] }, ['to.subscriberId must be a string']],
    ['a long id', 'a'.repeat(256), ['to must not be longer']],
    ['a bad address', ['bob', { subscriberId: 'ann', email: 'ann' }], ['to.1.email must be an email']],
    ['a topic of another type', { type: 'topic', topicKey: 'news' }, ['to.type must be Topic']],
    ['a topic without key', { type: 'Topic', topicKey: '' }, ['to.topicKey must be a string']],
    ['a member to exclude as text', { type: 'Topic', topicKey: 'news', exclude: 'ann' }, ['to.exclude must be a list']],
    ['a number to exclude', { type: 'Topic', topicKey: 'news', exclude: [7] }, ['to.exclude.0 must be a string']],
    [
      'too many to exclude',
      [{ type: 'Topic', topicKey: 'news', exclude: Array.from({ length: 1_001 }, String) }],
      ['to.0.exclude must not have more than 1000'],
    ],
    ['operators in data', { subscriberId: 'ann', data: { $set: 1 } }, ['to.data.$set is not allowed']],
    ['several at once', [5, {}], ['to.0 must be', 'to.1.subscriberId must be']],
    ['a list in a list', [['ann']], ['to.0 must be']],
  ])('should refuse %s', (_case, to, expected) => {
    const { faults } = parseRecipients(to);
    expect(faults).toHaveLength(expected.length);
    expected.forEach((text, place) => expect(faults[place]).toMatch(text));
  });

  it('should read a list once, although it is asked for twice', async () => {
    let reads = 0;
    const to = new Proxy(['ann', 'bob'], {
      get: (target, key, receiver): unknown => {
        if (key === '0') reads += 1;
        return Reflect.get(target, key, receiver);
      },
    });
    const body = { type: 'body', metatype: TriggerEventDto } as const;
    const dto = (await createValidationPipe().transform({ name: 'x', to }, body)) as TriggerEventDto;
    expect(dto.to.recipients.list).toEqual([{ subscriberId: 'ann' }, { subscriberId: 'bob' }]);
    expect(reads).toBe(1);
    expect(parseRecipients([{ subscriberId: '' }], 'a').faults).toEqual(['a.0.subscriberId must not be empty']);
  });
});
