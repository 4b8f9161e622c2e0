import { BSON } from 'bson';
import { Types } from 'mongoose';
import type { NewDetail } from './detail-batch.js';
import { DETAIL } from './detail.enums.js';
import { batchOf, extendTrail, type TrailRecord } from './trail.js';

const createdAt = new Date('2026-01-01T00:00:00.000Z');
const at = (ms: number): Date => new Date(createdAt.getTime() + ms);

function newRecord(...types: string[]): TrailRecord {
  const id = (): Types.ObjectId => new Types.ObjectId();
  return {
    _id: id(),
    _organizationId: id(),
    _environmentId: id(),
    _templateId: id(),
    _subscriberId: id(),
    transactionId: 'transaction',
    steps: types.map((type) => ({ _id: id(), type })),
    createdAt,
    updatedAt: createdAt,
  };
}

function detail(record: TrailRecord, step: number, more: Partial<NewDetail>): NewDetail {
  const { _id: jobId, type: channel } = record.steps[step] ?? { _id: new Types.ObjectId(), type: 'sms' };
  return { jobId, channel, detail: DETAIL.stepCreated, at: createdAt, ...more };
}

describe('a trail', () => {
  it('should give back every field of its details, in order', () => {
    const record = newRecord('in_app', 'sms');
    const messageId = new Types.ObjectId();
    const rest = extendTrail(
      record,
      [
        detail(record, 0, {}),
        detail(record, 1, {}),
        detail(record, 1, { at: at(5), detail: 'Message sent: sms77', providerId: 'sms77', messageId, raw: { a: 1 } }),
        detail(record, 1, { at: at(5), status: 'Warning', source: 'Webhook', isRetry: true, isTest: true }),
        detail(record, 0, { at: at(9), channel: 'digest', webhookStatus: 'delivered' }),
        detail(record, 0, { at: at(0) }),
      ],
      at(20),
    );
    const [inApp, sms] = record.steps;
    expect(rest).toEqual([]);
    expect(batchOf(record, 0).entries.map(({ _id, ...entry }) => entry)).toEqual([
      { _jobId: inApp?._id, channel: 'in_app', ...plain, createdAt: at(0) },
      { _jobId: sms?._id, channel: 'sms', ...plain, createdAt: at(0) },
      {
        _jobId: sms?._id,
        channel: 'sms',
        ...plain,
        detail: 'Message sent: sms77',
        status: 'Success',
        providerId: 'sms77',
        _messageId: messageId,
        raw: '{"a":1}',
        createdAt: at(5),
      },
      {
        _jobId: sms?._id,
        channel: 'sms',
        ...plain,
        status: 'Warning',
        source: 'Webhook',
        isRetry: true,
        isTest: true,
        createdAt: at(5),
      },
      { _jobId: inApp?._id, channel: 'digest', ...plain, webhookStatus: 'delivered', createdAt: at(9) },
      { _jobId: inApp?._id, channel: 'in_app', ...plain, createdAt: at(0) },
    ]);
  });

  it('should be the same whether it is written at once or in parts', () => {
    const record = newRecord('email', 'in_app');
    const details = [0, 1, 1, 0, 1].map((step, place) => detail(record, step, { at: at(place >> 1) }));
    extendTrail(record, details, createdAt);
    const other: TrailRecord = { ...record };
    delete other.trail;
    for (const one of details) extendTrail(other, [one], createdAt);
    expect(other.trail).toEqual(record.trail);
  });

  it('should give each detail an id of its own that never changes', () => {
    const record = newRecord('in_app');
    extendTrail(record, [detail(record, 0, {}), detail(record, 0, {})], createdAt);
    const idsOf = (): string[] => batchOf(record, 0).entries.map(({ _id }) => _id.toHexString());
    const before = idsOf();
    extendTrail(record, [detail(record, 0, {})], createdAt);
    expect(new Set(idsOf()).size).toBe(3);
    expect(idsOf().slice(0, 2)).toEqual(before);
  });

  it('should take what has room, and leave the rest in order', () => {
    const record = newRecord('sms');
    const large = detail(record, 0, { raw: 'x'.repeat(3_900) });
    const rest = extendTrail(
      record,
      Array.from({ length: 6 }, () => large),
      createdAt,
    );
    expect([record.trail?.length, rest.length]).toEqual([4, 2]);
    expect(extendTrail(record, [detail(record, 0, {}), large, detail(record, 0, {})], createdAt)).toHaveLength(2);
  });

  it('should leave details of steps that the run does not have', () => {
    const record = newRecord('sms');
    const other = detail(record, 7, {});
    expect(extendTrail(record, [other], createdAt)).toEqual([other]);
    expect(record).not.toHaveProperty('trail');
  });

  it('should mask secrets', () => {
    const record = newRecord('sms');
    extendTrail(record, [detail(record, 0, { raw: { apiKey: 'secret' } })], createdAt);
    expect(JSON.stringify(record.trail)).not.toContain('secret');
  });

  it('should expire with its record', () => {
    const record = { ...newRecord('sms'), expireAt: at(1_000) };
    expect(batchOf(record, 30).expireAt).toEqual(at(1_000));
    expect(batchOf({ ...newRecord('sms') }, 1).expireAt).toEqual(at(86_400_000));
    expect(batchOf({ ...newRecord('sms') }, 0)).not.toHaveProperty('expireAt');
  });

  it('should take less than 250 bytes for an in-app notification', () => {
    const record = newRecord('in_app');
    const more = { at: at(40), messageId: new Types.ObjectId(), providerId: 'novu' };
    const usual = [
      detail(record, 0, { at: at(40) }),
      detail(record, 0, { at: at(40), detail: DETAIL.stepQueued }),
      detail(record, 0, { at: at(40), detail: DETAIL.startSending }),
      detail(record, 0, { ...more, detail: DETAIL.messageCreated }),
      detail(record, 0, { ...more, detail: DETAIL.messageSent }),
    ];
    extendTrail(record, usual, createdAt);
    expect(BSON.calculateObjectSize({ trail: record.trail })).toBeLessThan(250);
  });
});

const plain = { detail: DETAIL.stepCreated, source: 'Internal', status: 'Pending' };
