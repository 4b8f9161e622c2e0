/** What Herald remembers of it. */
export const trail = {
  title: 'The trail',
  about: 'Every step of every notification can be explained afterwards.',
  async tell(demo, told) {
    const [order] = await findNotifications(demo, {
      title: 'The notification that came of the order.',
      query: `transactionId=${told.transactionId}`,
      statuses: ['completed'],
    });
    await explain(demo, told, { title: 'What happened, in order.', notification: order, sent: ['in_app'] });
    const { invoice } = told;
    const [paid] = await demo.read(`/v1/notifications?transactionId=${invoice.transactionId}`);
    await explain(demo, told, { title: 'The same of the invoice.', notification: paid, sent: invoice.sent });
    const parcels = await findNotifications(demo, {
      title: 'Of the three parcels one leads the digest, and the others are merged into it.',
      query: `templates=${told.digest.workflowId}`,
      statuses: ['completed', 'merged', 'merged'],
    });
    const leader = parcels.find(({ status }) => status === 'completed');
    await explain(demo, told, { title: 'What became of the leader.', notification: leader, sent: ['email'] });
  },
};

function findNotifications({ waitFor }, { title, query, statuses }) {
  return waitFor({
    title,
    method: 'GET',
    path: `/v1/notifications?${query}`,
    status: 200,
    expect: (rows) => {
      const found = rows.map(({ status }) => status).sort();
      return String(found) === String(statuses)
        ? undefined
        : `expected notifications that are ${statuses.join(', ')}, got ${found.join(', ') || 'none'}`;
    },
    show: ['_id', 'status', 'transactionId'],
  });
}

/** @param sent the channels that must have succeeded */
function explain({ waitFor }, { subscriberId }, { title, notification, sent }) {
  return waitFor({
    section: '4.9',
    title,
    method: 'GET',
    path: `/v1/execution-details?notificationId=${notification._id}&subscriberId=${subscriberId}`,
    status: 200,
    expect: (rows) => {
      const strangers = rows.filter((row) => row._notificationId !== notification._id);
      if (strangers.length > 0) return 'expected details of this notification only';
      const succeeded = new Set(rows.filter(({ status }) => status === 'Success').map(({ channel }) => channel));
      const missing = sent.filter((channel) => !succeeded.has(channel));
      return missing.length === 0 ? undefined : `expected a detail with status Success for ${missing.join(', ')}`;
    },
    show: ['channel', 'status', 'detail'],
  });
}
