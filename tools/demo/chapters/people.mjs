/** Who is notified, and through what. */
export const people = {
  title: 'People and channels',
  about: 'A subscriber, and the integrations that reach her.',
  async tell({ call }, told) {
    await call({
      title: 'Is Herald ready?',
      method: 'GET',
      path: '/v1/health-check',
      status: 200,
      expect: { status: 'ok' },
    });
    await createIntegrations(call, told);
    await createSubscriber(call, told);
  },
};

async function createIntegrations(call, told) {
  await call({
    section: '4.1',
    title: 'Mail goes through our own SMTP server. Credentials are encrypted at rest.',
    method: 'POST',
    path: '/v1/integrations',
    body: {
      providerId: 'nodemailer',
      channel: 'email',
      name: `Post room ${told.run}`,
      identifier: `post-room-${told.run}`,
      credentials: { host: 'localhost', port: '2525', secure: false, from: 'herald@example.com', senderName: 'Herald' },
      active: false,
    },
    status: 201,
    expect: { channel: 'email', identifier: `post-room-${told.run}`, active: false, 'credentials.secure': false },
    show: ['_id', 'identifier', 'channel', 'providerId', 'active', 'primary', 'credentials'],
  });
  const slack = await call({
    section: '4.1',
    title: 'Chat goes through Slack.',
    method: 'POST',
    path: '/v1/integrations',
    body: {
      providerId: 'slack',
      channel: 'chat',
      name: `Slack ${told.run}`,
      credentials: { applicationId: 'A0DEMO', clientId: '10.20', secretKey: 'not-a-secret' },
      active: true,
    },
    status: 201,
    expect: { channel: 'chat', providerId: 'slack', active: true },
    show: ['_id', 'identifier', 'channel', 'providerId', 'active'],
  });
  told.slack = slack.identifier;
}

async function createSubscriber(call, told) {
  told.subscriberId = `ada-${told.run}`;
  await call({
    section: '4.2',
    title: 'Ada is a subscriber. The id is ours, so nothing has to be mapped.',
    method: 'POST',
    path: '/v1/subscribers',
    body: {
      subscriberId: told.subscriberId,
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      phone: '+441234567890',
      locale: 'en-GB',
      data: { plan: 'pro' },
    },
    status: 201,
    expect: { subscriberId: told.subscriberId, firstName: 'Ada', channels: [], data: { plan: 'pro' } },
    show: ['_id', 'subscriberId', 'firstName', 'email', 'channels', 'data', 'createdAt'],
  });
  await call({
    section: '4.6',
    title: 'Her Slack webhook.',
    method: 'PUT',
    path: `/v1/subscribers/${told.subscriberId}/credentials`,
    body: {
      providerId: 'slack',
      integrationIdentifier: told.slack,
      credentials: { webhookUrl: 'https://hooks.example.com/services/T0/B0/demo' },
    },
    status: 200,
    expect: {
      subscriberId: told.subscriberId,
      'channels.0.providerId': 'slack',
      'channels.0.credentials.webhookUrl': 'https://hooks.example.com/services/T0/B0/demo',
    },
    show: ['subscriberId', 'channels'],
  });
}
