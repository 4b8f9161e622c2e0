// What scenarios create and read through the API: workflows, subscribers, events, messages.
const BULK_SUBSCRIBERS = 500;
const BULK_EVENTS = 100;

export const inApp = (content) => ({ template: { type: 'in_app', content } });
export const mail = (subject, content) => ({
  template: { type: 'email', subject, contentType: 'customHtml', content },
});
/** A digest or a delay of some seconds. */
export const timed = (type, seconds) => ({
  template: { type, content: '' },
  metadata: { type: 'regular', amount: seconds, unit: 'seconds' },
});

/** @returns the identifier that triggers it */
export async function createWorkflow({ call }, name, steps) {
  const [group] = await call('GET', '/v1/notification-groups');
  const body = { name, notificationGroupId: group._id, active: true, steps };
  return (await call('POST', '/v1/workflows', body)).triggers[0].identifier;
}

export async function createSubscribers({ call }, prefix, count) {
  for (let from = 0; from < count; from += BULK_SUBSCRIBERS) {
    const subscribers = Array.from({ length: Math.min(BULK_SUBSCRIBERS, count - from) }, (_, n) => ({
      subscriberId: `${prefix}${from + n}`,
      email: `${prefix}${from + n}@example.com`,
      firstName: 'Ada',
      lastName: 'Lovelace',
    }));
    await call('POST', '/v1/subscribers/bulk', { subscribers });
  }
}

/** Bodies of bulk triggers for that many events. */
export function bulkBodies(count, eventOf) {
  return Array.from({ length: Math.ceil(count / BULK_EVENTS) }, (_, bulk) => ({
    events: Array.from({ length: Math.min(BULK_EVENTS, count - bulk * BULK_EVENTS) }, (_e, n) =>
      eventOf(bulk * BULK_EVENTS + n),
    ),
  }));
}

/** Sends mail to a server on this machine. @param more fields of the integration */
export function smtpIntegration({ call }, port, more = {}) {
  return call('POST', '/v1/integrations', {
    providerId: 'nodemailer',
    channel: 'email',
    active: true,
    check: false,
    credentials: {
      host: '127.0.0.1',
      port: String(port),
      user: 'user',
      password: 'password',
      from: 'sender@example.com',
      senderName: 'Sender',
      ignoreTls: true,
    },
    ...more,
  });
}

/** The contents of all in-app messages, through the API. */
export async function inAppContents({ url, apiKey }) {
  const contents = [];
  for (let page = 0; ; page += 1) {
    const answer = await fetch(`${url}/v1/messages?channel=in_app&limit=100&page=${page}`, {
      headers: { authorization: `ApiKey ${apiKey}` },
    });
    const { data, hasMore } = await answer.json();
    contents.push(...data.map(({ content }) => content.trim()));
    if (!hasMore) return contents;
  }
}
