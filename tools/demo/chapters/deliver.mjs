/** From the trigger to the message, and what the subscriber does with it. */
export const deliver = {
  title: 'A notification',
  about: 'One call triggers it; the message is in the feed a moment later.',
  async tell({ call, waitFor }, told) {
    const { transactionId } = await call({
      title: 'The order is shipped.',
      method: 'POST',
      path: '/v1/events/trigger',
      body: {
        name: told.trigger,
        to: told.subscriberId,
        tenant: told.tenant.identifier,
        payload: { order: { number: 42 } },
        transactionId: `order-42-${told.run}`,
      },
      status: 201,
      expect: { acknowledged: true, status: 'processed', transactionId: `order-42-${told.run}` },
      show: ['acknowledged', 'status', 'transactionId'],
    });
    told.transactionId = transactionId;
    await readFeed(waitFor, told);
    await act(call, told);
  },
};

async function readFeed(waitFor, told) {
  const [message] = await waitFor({
    title: "It is in Ada's feed.",
    method: 'GET',
    path: `/v1/subscribers/${told.subscriberId}/notifications/feed`,
    status: 200,
    expect: (rows) => {
      const contents = rows.map(({ content }) => content);
      const wanted = ['Hello Ada, your order 42 is on its way.'];
      return JSON.stringify(contents) === JSON.stringify(wanted)
        ? undefined
        : `expected the feed to hold ${JSON.stringify(wanted)}, got ${JSON.stringify(contents)}`;
    },
    show: ['_id', 'content', 'cta', 'seen', 'status', 'transactionId'],
  });
  told.message = message;
}

async function act(call, told) {
  const path = `/v1/subscribers/${told.subscriberId}/messages/${told.message._id}/actions/primary`;
  await call({
    section: '4.7',
    title: 'Ada presses the button.',
    method: 'POST',
    path,
    body: { status: 'done', payload: { from: 'demo' } },
    status: 201,
    expect: {
      _id: told.message._id,
      'cta.action.status': 'done',
      'cta.action.result': { type: 'primary', payload: { from: 'demo' } },
      'subscriber.subscriberId': told.subscriberId,
      'template._id': told.workflow._id,
      _feedId: told.feed._id,
    },
    show: ['_id', 'channel', 'content', 'cta', 'status', 'seen'],
  });
}
