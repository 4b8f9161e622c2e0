import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { HeraldProvider, useInbox } from '@herald/inbox/react-native';
import { act, configure, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react-native';
import { FlatList, RefreshControl } from 'react-native';
import App from './dist/App';
import { openRequests, setAppState, setNetwork } from './native';

const { HERALD_URL, HERALD_API_KEY } = process.env;
configure({ asyncUtilTimeout: 60_000 });

/** As the server of an application calls Herald. */
function call(method, path, body) {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `ApiKey ${HERALD_API_KEY}`, 'Content-Type': 'application/json' };
    const read = async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      if (response.statusCode < 300) resolve(JSON.parse(text).data);
      else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
    };
    request(HERALD_URL + path, { method, headers, agent: false }, read)
      .on('error', reject)
      .end(JSON.stringify(body));
  });
}

let workflow;
beforeAll(async () => {
  // Answers of a real Herald come at any time.
  globalThis.IS_REACT_ACT_ENVIRONMENT = false;
  const [group] = await call('GET', '/v1/notification-groups');
  const template = { type: 'in_app', subject: 'Order {{number}}', content: '<p>Tom &amp; <b>Zoë</b>: {{number}}</p>' };
  const body = { name: 'Orders', notificationGroupId: group._id, active: true, steps: [{ template }] };
  workflow = await call('POST', '/v1/workflows', body);
});
afterEach(() => {
  setNetwork({ isReached: true, holdsStreams: false });
  setAppState('active');
});

/** A new subscriber with messages. @returns what is done for and asked about them */
async function newPerson(messages = 0) {
  const subscriberId = `person-${expect.getState().currentTestName}`.replace(/\W+/g, '-');
  const subscriberHash = createHmac('sha256', HERALD_API_KEY).update(subscriberId).digest('hex');
  const person = `/v1/subscribers/${subscriberId}`;
  await call('POST', '/v1/subscribers', { subscriberId });
  const stored = () => call('GET', `${person}/notifications/feed?limit=100`);
  const receive = async (...numbers) => {
    for (const number of numbers) {
      const event = { name: workflow.triggers[0].identifier, to: subscriberId, payload: { number } };
      await call('POST', '/v1/events/trigger', event);
    }
    const expected = numbers.map((number) => `Order ${number}`);
    await waitFor(async () =>
      expect((await stored()).map(({ subject }) => subject)).toEqual(expect.arrayContaining(expected)),
    );
  };
  await receive(...Array.from({ length: messages }, (_, at) => at + 1));
  return { props: { subscriberId, subscriberHash }, path: person, stored, receive };
}

const streams = () => openRequests().filter((path) => path.startsWith('/v1/inbox/stream'));
/** The messages that are stored from then on come by the stream. */
const isLive = () => waitFor(() => expect(streams()).toHaveLength(1));

it('should run where only React Native is', async () => {
  const response = await fetch(`${HERALD_URL}/v1/health-check`);
  expect([response.status, response.body, AbortSignal.timeout, globalThis.TextDecoder]).toEqual([
    200,
    undefined,
    undefined,
    undefined,
  ]);
});

it('should show what is there, as text', async () => {
  const { props } = await newPerson(2);
  render(<App {...props} />);
  expect(await screen.findByText('Order 2')).toBeOnTheScreen();
  expect(screen.getByText('Tom & Zoë: 1')).toBeOnTheScreen();
  expect(screen.getByText('2 unread')).toBeOnTheScreen();
});

it('should show a message that comes, over one stream', async () => {
  const { props, receive } = await newPerson(1);
  render(<App {...props} />);
  await screen.findByText('Order 1');
  await isLive();
  for (const number of [2, 3]) {
    await receive(number);
    expect(await screen.findByText(`Order ${number}`)).toBeOnTheScreen();
    expect(await screen.findByText(`${number} unread`)).toBeOnTheScreen();
  }
  expect(streams()).toHaveLength(1);
});

it('should count what is read in another component, and store it', async () => {
  const { props, stored } = await newPerson(2);
  render(<App {...props} />);
  fireEvent.press(await screen.findByText('Order 1'));
  expect(await screen.findByText('1 unread')).toBeOnTheScreen();
  await waitFor(async () => expect((await stored()).map(({ read }) => read)).toEqual([false, true]));
});

it('should read on at the end of the list', async () => {
  const { props } = await newPerson(23);
  render(<App {...props} />);
  await screen.findByText('Order 23');
  // Without a layout, the end is always near.
  await waitFor(() => expect(screen.UNSAFE_getByType(FlatList).props.data).toHaveLength(23));
});

it('should ask where the stream does not get through, and when the list is pulled down', async () => {
  setNetwork({ holdsStreams: true });
  const { props, receive } = await newPerson(1);
  render(<App {...props} />);
  await screen.findByText('Order 1');
  await receive(2);
  expect(await screen.findByText('Order 2')).toBeOnTheScreen();
  await receive(3);
  fireEvent(screen.UNSAFE_getByType(RefreshControl), 'refresh');
  // Much earlier than it would ask by itself.
  expect(await screen.findByText('Order 3', {}, { timeout: 15_000 })).toBeOnTheScreen();
});

it('should close the connection in the background, and catch up in the foreground', async () => {
  const { props, receive } = await newPerson(1);
  render(<App {...props} />);
  await screen.findByText('Order 1');
  await isLive();
  act(() => setAppState('inactive'));
  expect(streams()).toHaveLength(1);
  act(() => setAppState('background'));
  await waitFor(() => expect(openRequests()).toEqual([]));
  await receive(2);
  expect(openRequests()).toEqual([]);
  expect(screen.queryByText('Order 2')).toBeNull();
  act(() => setAppState('active'));
  expect(await screen.findByText('Order 2')).toBeOnTheScreen();
  expect(screen.getAllByText('Order 2')).toHaveLength(1);
  await isLive();
});

it('should keep what is read without a connection, and send it later', async () => {
  const { props, stored, receive } = await newPerson(1);
  render(<App {...props} />);
  await screen.findByText('Order 1');
  setNetwork({ isReached: false });
  fireEvent.press(screen.getByText('Order 1'));
  expect(await screen.findByText('0 unread')).toBeOnTheScreen();
  await receive(2);
  expect((await stored()).map(({ read }) => read)).toEqual([false, false]);
  setNetwork({ isReached: true });
  expect(await screen.findByText('Order 2')).toBeOnTheScreen();
  await waitFor(async () => expect((await stored()).map(({ read }) => read)).toEqual([false, true]));
  expect(await screen.findByText('1 unread')).toBeOnTheScreen();
});

it('should tell people in a sentence that the inbox was refused, and go on when the hash is right', async () => {
  const { props } = await newPerson(1);
  render(<App {...props} subscriberHash="wrong" />);
  expect(await screen.findByText('Your notifications cannot be shown.')).toBeOnTheScreen();
  expect(screen.queryByText(/hmac|hash/i)).toBeNull();
  screen.rerender(<App {...props} />);
  expect(await screen.findByText('Order 1')).toBeOnTheScreen();
});

it('should change preferences', async () => {
  const { props, path } = await newPerson();
  render(<App {...props} />);
  const toggle = await screen.findByLabelText('Orders: in_app');
  expect(toggle.props.value).toBe(true);
  fireEvent(toggle, 'valueChange', false);
  expect(screen.getByLabelText('Orders: in_app').props.value).toBe(false);
  const isEnabled = async () => {
    const preferences = await call('GET', `${path}/preferences`);
    return preferences.find(({ template }) => template.name === 'Orders').preference.channels.in_app;
  };
  await waitFor(async () => expect(await isEnabled()).toBe(false));
  expect(screen.getByLabelText('Orders: in_app').props.value).toBe(false);
});

it('should register the device for push messages, and remove it', async () => {
  const credentials = { apiKey: 'expo-access-token' };
  const expo = { channel: 'push', providerId: 'expo', active: true, check: false, credentials };
  await call('POST', '/v1/integrations', expo);
  const { props, path } = await newPerson();
  const { identifier } = await call('GET', '/v1/environments/me');
  const options = { ...props, backendUrl: HERALD_URL, applicationIdentifier: identifier };
  const { result } = renderHook(useInbox, {
    wrapper: ({ children }) => <HeraldProvider {...options}>{children}</HeraldProvider>,
  });
  const tokens = async () => (await call('GET', path)).channels.flatMap((one) => one.credentials.deviceTokens);
  const device = ['expo', 'ExponentPushToken[a-phone]'];
  await result.current.api.registerDevice(...device);
  expect(await tokens()).toEqual([device[1]]);
  await result.current.api.removeDevice(...device);
  expect(await tokens()).toEqual([]);
});

it('should end with the component', async () => {
  const { props } = await newPerson();
  render(<App {...props} />);
  await isLive();
  screen.unmount();
  await waitFor(() => expect(openRequests()).toEqual([]));
});
