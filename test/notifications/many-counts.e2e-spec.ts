import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, Types } from 'mongoose';
import { databaseOf } from '#libs/persistence';
import { TallyWorker } from '../../src/outcomes/activity/index.js';
import { dataOf } from '../support/answers.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { eventually } from '../support/eventually.js';

interface Stats {
  weeklySent: number;
  monthlySent: number;
}
interface Day {
  _id: string;
  count: number;
  templates: string[];
  channels: string[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** In a week more than a query counts. */
const MANY = 14_400;
/** Counting rests after each pass. */
const COUNTED_WITHIN_MS = 1_800_000;

describe('counts of very many notifications', () => {
  const delivery = useDeliveryApi('many_counts', { DELIVERY_WORKER: 'off' });

  it('should be those of the tallies where there are any, and of the records for the rest', async () => {
    const session = await delivery.api.session();
    const database = databaseOf(delivery.api.app.get<Connection>(getConnectionToken()));
    const notifications = database.collection('notifications');
    const _environmentId = new Types.ObjectId(session.environmentId);
    const owner = { _environmentId, _organizationId: new Types.ObjectId(session.organizationId) };
    const [mails, both] = [new Types.ObjectId(), new Types.ObjectId()];
    const now = delivery.clock.now().getTime();
    const begin = now - 9 * DAY_MS;
    const rows = Array.from({ length: MANY }, (_, n) => ({
      ...owner,
      _templateId: n % 3 === 0 ? both : mails,
      channels: n % 3 === 0 ? ['email', 'in_app'] : ['email'],
      status: 'completed',
      steps: [],
      createdAt: new Date(begin + Math.floor((n / MANY) * (now - begin))),
    }));
    await notifications.insertMany(rows);
    const ofWeek = () =>
      rows.filter(({ createdAt }) => createdAt.getTime() >= delivery.clock.now().getTime() - 7 * DAY_MS).length;
    const statsAre = (wanted: Stats) =>
      // An answer about many notifications is kept for some seconds.
      eventually(async () => {
        expect(await dataOf(session.get('/v1/notifications/stats'), 200)).toEqual(wanted);
      });
    const daysOf = (days: number) => dataOf<Day[]>(session.get(`/v1/notifications/graph/stats?days=${days}`), 200);

    await statsAre({ weeklySent: ofWeek(), monthlySent: MANY });
    const counted = await daysOf(30);
    expect(totalOf(counted)).toBe((MANY * 4) / 3);

    await delivery.api.app.get(TallyWorker).drain(new Date(now + COUNTED_WITHIN_MS));
    const hour = Math.floor((now - 5 * DAY_MS) / HOUR_MS) * HOUR_MS;
    await notifications.deleteMany({
      _environmentId,
      createdAt: { $gte: new Date(hour), $lt: new Date(hour + HOUR_MS) },
    });
    const createdAt = delivery.clock.now();
    await notifications.insertOne({ ...rows[0], _id: new Types.ObjectId(), createdAt });
    await statsAre({ weeklySent: ofWeek() + 1, monthlySent: MANY + 1 });
    const tallied = await daysOf(31);
    const last = counted.length - 1;
    expect(tallied.slice(0, last).map(sorted)).toEqual(counted.slice(0, last).map(sorted));
    expect(totalOf(tallied)).toBe(totalOf(counted) + 2);
  });
});

const totalOf = (days: readonly Day[]): number => days.reduce((sum, { count }) => sum + count, 0);
const sorted = ({ _id, count, templates, channels }: Day) => ({
  _id,
  count,
  templates: templates.toSorted(),
  channels: channels.toSorted(),
});
