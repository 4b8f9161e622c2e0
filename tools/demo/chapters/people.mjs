import { faultOfData } from '../client.mjs';

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
  const { smtp, push } = told.catchers;
  told.mail = await createIntegration(call, told, {
    title: 'Mail goes through our own SMTP server; `check` tries it at once. Credentials are encrypted at rest.',
    body: {
      providerId: 'nodemailer',
      channel: 'email',
      name: 'Post room',
      credentials: { ...smtp, secure: false, from: 'herald@example.com', senderName: 'Herald' },
      check: true,
    },
  });
  told.discord = await createIntegration(call, told, {
    title: 'Chat goes to Discord.',
    body: { providerId: 'discord', channel: 'chat', name: 'Discord', credentials: {} },
  });
  told.push = await createIntegration(call, told, {
    title: 'Push goes to a webhook of ours, signed.',
    body: { providerId: 'push-webhook', channel: 'push', name: 'Devices', credentials: push },
  });
}

async function createIntegration(call, told, { title, body }) {
  const { providerId, channel } = body;
  const identifier = `${providerId}-${told.run}`;
  const { _id } = await call({
    section: '4.1',
    title,
    method: 'POST',
    path: '/v1/integrations',
    body: { ...body, identifier, active: true },
    status: 201,
    expect: { providerId, channel, identifier, active: true },
    show: ['_id', 'identifier', 'active', 'primary'],
  });
  told.integrations.push(_id);
  return identifier;
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
  await giveCredentials(call, told, {
    title: 'Her Discord channel.',
    providerId: 'discord',
    integrationIdentifier: told.discord,
    credentials: { webhookUrl: told.catchers.discordUrl },
  });
  await giveCredentials(call, told, {
    title: 'Her laptop.',
    providerId: 'push-webhook',
    integrationIdentifier: told.push,
    credentials: { deviceTokens: ['laptop-of-ada'] },
  });
}

function giveCredentials(call, told, { title, ...body }) {
  const { providerId, credentials } = body;
  return call({
    section: '4.6',
    title,
    method: 'PUT',
    path: `/v1/subscribers/${told.subscriberId}/credentials`,
    body,
    status: 200,
    expect: ({ subscriberId, channels }) => {
      if (subscriberId !== told.subscriberId) return `expected ${told.subscriberId}, got ${subscriberId}`;
      const given = channels.find((channel) => channel.providerId === providerId)?.credentials;
      return faultOfData(credentials, given);
    },
    show: ['subscriberId', 'channels'],
  });
}
