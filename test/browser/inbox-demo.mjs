import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { selectors } from 'playwright-core';
import { openBrowser, watch } from './chromium.mjs';

/** How long a message or a change may take from the trigger or click to all pages. */
const LIVE_MS = 10_000;
/** Clients wait longer and longer before they connect again, five seconds at most. */
const RECONNECT_MS = 20_000;
const SUBSCRIBER = 'inbox-demo';

// Of the bell. Parts of the Inbox are recognised by its documented classes.
selectors.setTestIdAttribute('data-test-id');

/**
 * Uses the page of the published components as a subscriber does, also in two tabs, and restarts Herald under them. What is
 * seen is compared with what the API tells.
 * @param options.herald a Herald that was started for this run, so that it can be restarted
 * @param options.browser path of a Chromium
 * @param options.screenshot where to keep pictures, if anywhere; each gets a name before the ending
 * @returns what the console of the browser complained about while Herald was running
 * @throws at the first thing that the page does not show
 */
export async function useTheComponents({ herald, browser, screenshot }) {
  const { context, close } = await openBrowser(browser, { width: 1100, height: 900 });
  const api = apiOf(herald);
  let pictures = 0;
  const keep = async (page, name) => {
    if (screenshot === undefined) return;
    await page.screenshot({ path: screenshot.replace(/(\.\w+)$/, `-inbox-${++pictures}-${name}$1`) });
  };
  try {
    const page = await context.newPage();
    const complaints = [watch(page)];
    await openComponents(page, herald);
    await keep(page, 'components');
    await receive(page, api, keep);
    await useBell(page, api, keep);
    await useInbox(page, api, keep);
    await choosePreferences(page, api, keep);
    const other = await context.newPage();
    complaints.push(watch(other));
    await openComponents(other, herald);
    await useTwoTabs([page, other], api, keep);
    const untilNow = complaints.flat();
    await surviveRestarts([page, other], herald, api, keep);
    return untilNow;
  } catch (error) {
    for (const page of context.pages().slice(1)) await keep(page, 'failed');
    throw error;
  } finally {
    await close();
  }
}

async function openComponents(page, { url, apiKey }) {
  page.setDefaultTimeout(LIVE_MS);
  await page.goto(`${url}/inbox-demo`);
  await page.getByLabel(/^API key/).fill(apiKey);
  await page.getByRole('button', { name: 'Show the components' }).click();
  await page.getByTestId('notification-bell').waitFor();
  await inboxTrigger(page).waitFor();
}

/** From the buttons of the page to the badges of both components. */
async function receive(page, api, keep) {
  for (const name of ['A message', 'With a button', 'Urgent']) {
    await page.getByRole('button', { name, exact: true }).click();
    await page.getByRole('status').filter({ hasText: '1 accepted' }).waitFor();
  }
  await until(async () => (await api.feed()).length === 3);
  await page.locator('.nv-bellDot').waitFor();
  await page.locator('.nv-severityHigh__bellContainer').waitFor();
  await keep(page, 'badges');
}

async function useBell(page, api, keep) {
  await openBell(page);
  const items = page.getByTestId('notification-list-item');
  await items.nth(2).waitFor();
  await api.trigger('plain', '2001');
  const live = items.filter({ hasText: 'Order 2001 is on its way.' });
  await live.waitFor();
  await keep(page, 'bell');

  const markAsRead = async () => {
    await live.getByTestId('notification-dots-button').click();
    await page.getByTestId('notification-mark-as-read').click();
  };
  await changeInBell(page, markAsRead, async () => (await api.message('2001')).read);
  await openBell(page);
  await live.getByTestId('notification-dots-button').click();
  await page.getByTestId('notification-remove-message').click();
  await until(async () => (await api.message('2001')) === undefined);
  await openBell(page);
  await live.waitFor({ state: 'detached' });

  const opened = items.filter({ hasText: 'was refused' });
  const open = () => opened.getByTestId('notification-content').click();
  await changeInBell(page, open, async () => (await api.message('was refused')).read);
  await openBell(page);

  const approval = items.filter({ hasText: 'waits for your approval' });
  await approval.getByRole('button', { name: 'Approve' }).click();
  await until(async () => (await api.message('approval')).cta.action.status === 'done');

  await markAllAsRead(page, api);
  await closeBell(page);
  await page.locator('.nv-bellDot').waitFor({ state: 'detached' });
}

async function useInbox(page, api, keep) {
  await inboxTrigger(page).click();
  await page.locator('.nv-notification').first().waitFor();
  await api.trigger('button', '3001');
  await page.locator('.nv-notificationListNewNotificationsNotice__button').click();
  const item = page.locator('.nv-notification', { hasText: 'Order 3001' });
  await item.waitFor();
  await keep(page, 'inbox');

  await act(item, 'notificationRead');
  await until(async () => (await api.message('3001')).read);
  await act(item, 'notificationUnread');
  await until(async () => !(await api.message('3001')).read);
  const opened = page.waitForEvent('console', (message) => message.text() === 'would open /orders/3001');
  await item.locator('.nv-notificationBody').click();
  await opened;
  await until(async () => (await api.message('3001')).read);
  await openInbox(page);
  await item.getByRole('button', { name: 'Approve' }).click();
  await until(async () => (await api.message('3001')).cta.action.status === 'done');

  await act(item, 'notificationArchive');
  await item.waitFor({ state: 'detached' });
  await show(page, 'Archived');
  await item.waitFor();
  await keep(page, 'archived');
  await act(item, 'notificationUnarchive');
  await item.waitFor({ state: 'detached' });

  await show(page, 'Unread & read');
  await item.hover();
  await item.locator('.nv-notificationSnooze__button').click();
  await keep(page, 'snooze');
  await page.locator('.nv-notificationSnooze__dropdownItem', { hasText: 'An hour from now' }).click();
  await item.waitFor({ state: 'detached' });
  await show(page, 'Snoozed');
  await item.waitFor();
  await keep(page, 'snoozed');
  await act(item, 'notificationUnsnooze');
  await item.waitFor({ state: 'detached' });
  await show(page, 'Unread & read');
  await item.waitFor();
}

/** Switches the in-app channel of one workflow off and on again, in the Inbox, which is open. */
async function choosePreferences(page, api, keep) {
  await page.locator('.nv-preferences__button').click();
  const workflow = page.locator('.nv-workflowContainer', { hasText: 'inbox-demo-plain' });
  await workflow.locator('.nv-workflowLabelContainer').click();
  const toggle = workflow.locator('.nv-channelSwitch');
  await toggle.click();
  await until(async () => (await api.preference('inbox-demo-plain')).in_app === false);
  await keep(page, 'preferences');
  await toggle.click();
  await until(async () => (await api.preference('inbox-demo-plain')).in_app === true);
  await inboxTrigger(page).click();
  await page.locator('.nv-inboxContent').waitFor({ state: 'detached' });
}

/** What one tab reads, the other one knows. */
async function useTwoTabs([one, other], api, keep) {
  await api.trigger('plain', '4001');
  for (const page of [one, other]) await page.locator('.nv-bellDot').waitFor();
  await openBell(other);
  await other.getByTestId('notification-list-item').filter({ hasText: 'Order 4001' }).waitFor();
  await markAllAsRead(other, api);
  await one.locator('.nv-bellDot').waitFor({ state: 'detached' });
  await keep(other, 'second-tab');
  await closeBell(other);
}

/** Messages that are accepted right after a restart arrive without a reload. */
async function surviveRestarts(pages, herald, api, keep) {
  for (const [signal, order] of [
    ['SIGTERM', '5001'],
    ['SIGKILL', '5002'],
  ]) {
    await herald.restart(signal);
    await api.trigger('plain', order);
    for (const page of pages) {
      await page.locator('.nv-bellDot').waitFor({ timeout: RECONNECT_MS });
      await openBell(page);
      await page
        .getByTestId('notification-list-item')
        .filter({ hasText: `Order ${order}` })
        .waitFor();
      await keep(page, `after-${signal.toLowerCase()}`);
      await closeBell(page);
    }
    await unlessUndone(pages, async () => {
      await api.readAll();
      for (const page of pages) await page.locator('.nv-bellDot').waitFor({ state: 'detached', timeout: RECONNECT_MS });
    });
  }
}

async function changeInBell(page, click, isSo) {
  await unlessUndone([page], async () => {
    await openBell(page);
    await click();
    await until(isSo, LIVE_MS / 2);
  });
}

/**
 * When it closes, the bell marks new messages as seen and unread. Its request can arrive after the one that marks them as read: only
 * then they are marked again.
 */
async function unlessUndone(pages, markAsRead) {
  let isUndone = false;
  const notice = (request) => {
    isUndone ||= request.url().endsWith('/messages/markAs') && request.postData()?.includes('"read":false');
  };
  for (const page of pages) page.on('requestfinished', notice);
  try {
    for (let attempts = 1; ; attempts += 1) {
      isUndone = false;
      try {
        return await markAsRead();
      } catch (error) {
        if (!isUndone || attempts === 3) throw error;
      }
    }
  } finally {
    for (const page of pages) page.off('requestfinished', notice);
  }
}

function markAllAsRead(page, api) {
  const click = () => page.getByTestId('notifications-header-mark-all-as-read').click();
  return changeInBell(page, click, async () => (await api.feed()).every(({ read }) => read));
}

/** Its menus close it. */
async function openBell(page) {
  const list = page.getByTestId('layout-wrapper');
  await list.waitFor({ state: 'hidden', timeout: 1_000 }).catch(() => undefined);
  if (!(await list.isVisible())) await page.getByTestId('notification-bell').click();
  await list.waitFor();
}

async function closeBell(page) {
  await page.getByTestId('notification-bell').click();
  await page.getByTestId('layout-wrapper').waitFor({ state: 'hidden' });
}

/** A click that navigates closes it. */
async function openInbox(page) {
  const list = page.locator('.nv-inboxContent');
  await list.waitFor({ state: 'detached', timeout: 1_000 }).catch(() => undefined);
  if (!(await list.isVisible())) await inboxTrigger(page).click();
  await list.waitFor();
}

function inboxTrigger(page) {
  return page.locator('.nv-inbox__popoverTrigger');
}

/** The Inbox takes the state of a message from the answer: a click before that would mean the former state. */
async function act(item, name) {
  const answered = item.page().waitForResponse((response) => response.request().method() === 'PATCH');
  await item.hover();
  await item.locator(`.nv-${name}__button`).click();
  await (await answered).finished();
}

async function show(page, status) {
  await page.locator('.nv-inboxStatus__dropdownTrigger').click();
  await page.locator('.nv-inboxStatus__dropdownItem', { hasText: status }).click();
}

/** What an administrator sees of the subscriber. */
function apiOf({ client }) {
  const path = { subscriberId: SUBSCRIBER };
  const feed = () => client.messagesOfASubscriber.getFeed({ path, query: { limit: 100 } });
  return {
    feed,
    /** The message whose content has a word, if there is one. */
    message: async (word) => (await feed()).find(({ content }) => content.includes(word)),
    trigger: (ending, order) =>
      client.events.triggerEvent({ body: { name: `inbox-demo-${ending}`, to: SUBSCRIBER, payload: { order } } }),
    readAll: () => client.messagesOfASubscriber.markAllMessages({ path, body: { markAs: 'read' } }),
    preference: async (name) => {
      const all = await client.preferences.listPreferences({ path });
      return all.find(({ template }) => template.name === name).preference.channels;
    },
  };
}

async function until(isSo, ms = LIVE_MS) {
  const end = Date.now() + ms;
  while (!(await isSo())) {
    assert.ok(Date.now() < end, `not within ${ms} ms: ${isSo}`);
    await sleep(50);
  }
}
