/** What Herald remembers of it. */
export const trail = {
  title: 'The trail',
  about: 'Every step of every notification can be explained afterwards.',
  async tell({ call, waitFor }, told) {
    const [notification] = await waitFor({
      title: 'The notification that came of the trigger.',
      method: 'GET',
      path: `/v1/notifications?transactionId=${told.transactionId}`,
      status: 200,
      expect: (rows) => (rows.length === 1 ? undefined : `expected one notification, got ${rows.length}`),
      show: ['_id', 'transactionId', 'createdAt'],
    });
    await call({
      section: '4.9',
      title: 'What happened, in order.',
      method: 'GET',
      path: `/v1/execution-details?notificationId=${notification._id}&subscriberId=${told.subscriberId}`,
      status: 200,
      expect: (rows) => {
        if (rows.length === 0) return 'expected execution details';
        const strangers = rows.filter((row) => row._notificationId !== notification._id);
        if (strangers.length > 0) return 'expected details of this notification only';
        return rows.some(({ status }) => status === 'Success') ? undefined : 'expected a detail with status Success';
      },
      show: ['channel', 'source', 'status', 'detail'],
    });
  },
};
