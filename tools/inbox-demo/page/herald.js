/** What the buttons of the page send: one workflow for each kind of message. */
export const EXAMPLES = {
  plain: { name: 'A message', step: { content: 'Order {{order}} is on its way.', cta: link('/orders/{{order}}') } },
  button: {
    name: 'With a button',
    step: {
      content: 'Order {{order}} waits for your approval.',
      cta: { ...link('/orders/{{order}}'), action: { buttons: [{ type: 'primary', content: 'Approve' }] } },
    },
  },
  urgent: {
    name: 'Urgent',
    workflow: { severity: 'high', tags: ['incidents'] },
    step: { subject: 'Payment failed', content: 'The payment of order {{order}} was refused.' },
  },
};

export const ENDINGS = Object.keys(EXAMPLES);

function link(url) {
  return { type: 'redirect', data: { url } };
}

/** Signs in with an API key and makes sure that the workflows of the buttons exist. */
export async function connect(apiKey) {
  const call = async (method, path, body) => {
    const response = await fetch(`/v1${path}`, {
      method,
      headers: { authorization: `ApiKey ${apiKey}`, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error([answer.message].flat().join('; '));
    return answer.data;
  };
  const { identifier: applicationIdentifier } = await call('GET', '/environments/me');
  const known = new Set((await call('GET', '/workflows?limit=100')).map(({ name }) => name));
  const [group] = await call('GET', '/notification-groups');
  for (const ending of ENDINGS) {
    const { name, workflow, step } = EXAMPLES[ending];
    if (known.has(nameOf(ending))) continue;
    await call('POST', '/workflows', {
      name: nameOf(ending),
      description: `Inbox demo: ${name}`,
      notificationGroupId: group._id,
      active: true,
      ...workflow,
      steps: [{ template: { type: 'in_app', ...step } }],
    });
  }
  return { applicationIdentifier, call };
}

/** What your server computes for the user who is signed in; a real page never has the key. */
export async function hashOf(apiKey, subscriberId) {
  const bytes = (text) => new TextEncoder().encode(text);
  const key = await crypto.subtle.importKey('raw', bytes(apiKey), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', key, bytes(subscriberId));
  return Array.from(new Uint8Array(signature), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function nameOf(ending) {
  return `inbox-demo-${ending}`;
}

/** Notifies the subscriber `count` times. */
export async function send({ call }, subscriberId, ending, count) {
  const events = Array.from({ length: count }, () => ({
    name: nameOf(ending),
    to: { subscriberId },
    payload: { order: String(1000 + Math.floor(Math.random() * 9000)) },
  }));
  const answers = await call('POST', '/events/trigger/bulk', { events });
  const refused = answers.find(({ acknowledged }) => !acknowledged);
  if (refused) throw new Error([refused.error ?? refused.status].flat().join('; '));
  return answers.length;
}
