/* global document, Event, PushManager, requestAnimationFrame -- functions that run in pages */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBrowser, watch } from './chromium.mjs';
import { startSite } from './inbox/site.mjs';
import { createWorld, until } from './inbox/world.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const LIVE_MS = 15_000;
const TABS = JSON.stringify([
  { label: 'All' },
  { label: 'Billing', filter: { tags: ['billing'] } },
  { label: 'News', filter: { feedIdentifier: 'news' } },
]);
const MANY = process.env.HERALD_TEST_LONG === '1' ? 10_000 : 2_000;

/**
 * Uses `<herald-inbox>` as subscribers do, in pages of another origin with a strict policy: in HTML, with React and with Vue.
 * @param options.herald a Herald that was started for this run, so that it can be restarted
 * @param options.screenshot where to keep pictures, if anywhere; each gets a name before the ending
 * @returns what the console of the browser complained about
 */
export async function useTheInbox({ herald, browser, screenshot, parts, world }) {
  const site = await startSite(herald.url);
  world ??= await createWorld(herald);
  const complaints = [];
  const scenes = {
    receive,
    act,
    prefer,
    useKeys,
    stayInPlace,
    look,
    useTabs,
    group,
    replace,
    toast,
    leaveInOrder,
    touch,
    speakPlainly,
    stayWhole,
    wrap,
    showManual,
    scrollFar,
    takePush,
  };
  try {
    for (const [name, scene] of Object.entries(scenes)) {
      if (parts && !parts.includes(name)) continue;
      const { context, close } = await openBrowser(browser, { width: 1280, height: 800 });
      let pictures = 0;
      const keep = async (page, what) => {
        if (screenshot === undefined) return;
        await page.screenshot({ path: screenshot.replace(/(\.\w+)$/, `-own-inbox-${name}-${++pictures}-${what}$1`) });
      };
      const open = async (person, more, path) => {
        const page = await context.newPage();
        page.setDefaultTimeout(LIVE_MS);
        complaints.push(watch(page));
        await page.goto(person.address(site, more, path));
        return page;
      };
      try {
        await scene({ world, site, context, open, keep, herald, complaints: () => complaints.at(-1) ?? [] });
      } catch (error) {
        for (const page of context.pages()) await keep(page, 'failed');
        throw new Error(`${name}: ${error.message}`, { cause: error });
      } finally {
        await close();
      }
    }
  } finally {
    await site.close();
  }
  // What browsers say while there is no connection.
  return complaints.flat().filter((text) => !/net::ERR_(?:INTERNET|INCOMPLETE|CONNECTION|EMPTY|NETWORK)/.test(text));
}

/** From an empty inbox to messages that come by themselves. */
async function receive({ world, open, keep }) {
  const ada = await world.subscriber('ada');
  const page = await open(ada, { tabs: TABS });
  await bell(page, '0 unread').click();
  await page.getByText('Nothing here').waitFor();
  await keep(page, 'empty');
  await ada.receive('order', 1);
  const row = item(page, 'Order 1');
  await row.waitFor();
  await bell(page, '1 unread').waitFor();
  await page.locator('[role=status]', { hasText: 'New notification: Order 1' }).waitFor({ state: 'attached' });
  await ada.receive('bill', 2);
  await ada.receive('news', 3);
  await bell(page, '3 unread').waitFor();
  const all = ['Number 3: what is new this week, told in a few words.', 'Payment 2 failed', 'Order 1'];
  await until(async () => String(await subjects(page)) === String(all));
  assert.equal(await row.locator('b').innerText(), '1');
  await until(async () => (await ada.feed()).every(({ seen }) => seen));
  await page.getByRole('tab', { name: 'Billing' }).click();
  await until(async () => String(await subjects(page)) === 'Payment 2 failed');
  await page.getByRole('tab', { name: 'News' }).click();
  await until(async () => /^Number 3[^,]*, told in a few words\.$/.test(String(await subjects(page))));
  await page.getByRole('tab', { name: /^All/ }).click();
  await item(page, 'Order 1').waitFor();
  await keep(page, 'list');
  const names = new Set((await page.evaluate('events')).map(([name]) => name));
  assert.deepEqual([...names].sort(), ['counts', 'message', 'toggle']);
}

/** Each change is in Herald, and in the list without a reload. */
async function act({ world, open, keep }) {
  const ben = await world.subscriber('ben');
  for (const number of [1, 2]) await ben.receive('order', number);
  await ben.receive('bill', 3);
  const page = await open(ben);
  await bell(page, '3 unread').click();
  await tool(page, 'Order 2', 'Mark as read').click();
  await until(async () => (await ben.message('Order 2')).read);
  await bell(page, '2 unread').waitFor();
  await tool(page, 'Order 2', 'Mark as unread').click();
  await until(async () => !(await ben.message('Order 2')).read);

  await tool(page, 'Order 2', 'Archive').click();
  await item(page, 'Order 2').waitFor({ state: 'detached' });
  await page.getByLabel('Show').selectOption('archived');
  await tool(page, 'Order 2', 'Move back').click();
  await item(page, 'Order 2').waitFor({ state: 'detached' });
  await page.getByLabel('Show').selectOption('inbox');
  await item(page, 'Order 2').waitFor();

  await tool(page, 'Order 2', 'Snooze').click();
  await keep(page, 'snooze');
  await page.getByRole('button', { name: 'In an hour' }).click();
  await item(page, 'Order 2').waitFor({ state: 'detached' });
  await page.getByLabel('Show').selectOption('snoozed');
  await item(page, 'Order 2').waitFor();
  await keep(page, 'snoozed');
  await tool(page, 'Order 2', 'Wake up').click();
  await page.getByLabel('Show').selectOption('unread');
  await item(page, 'Order 2').waitFor();

  await page.getByRole('button', { name: 'Approve' }).click();
  await until(async () => (await ben.message('Payment 3')).cta.action.status === 'done');
  await page.getByLabel('Show').selectOption('inbox');
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await bell(page, '0 unread').waitFor();
  await until(async () => (await ben.feed()).every(({ read }) => read));
  await page.getByRole('button', { name: 'Archive read' }).click();
  await page.getByText('Nothing here').waitFor();
  await until(async () => (await ben.message('Order 1')).archived);

  await ben.receive('order', 4);
  await item(page, 'Order 4').getByRole('link', { name: 'Order 4' }).click();
  await page.waitForURL('**/orders/4');
  await until(async () => (await ben.message('Order 4')).read);
}

async function prefer({ world, open, keep }) {
  const cleo = await world.subscriber('cleo');
  const { notificationGroups } = cleo.client;
  const [{ _id: groupId, name }] = await notificationGroups.listNotificationGroups();
  const describe = (description) =>
    notificationGroups.updateNotificationGroup({ path: { groupId }, body: { name, description } });
  await describe('What you bought');
  const page = await open(cleo);
  await bell(page, '0 unread').click();
  await page.getByRole('button', { name: 'Preferences' }).click();
  await page.getByRole('heading', { name }).waitFor();
  await page.getByText('What you bought').waitFor();
  await describe(null);
  await page.getByText('Orders').click();
  const here = page.getByRole('switch', { name: 'Orders: Here' });
  await here.click();
  const preferences = () => cleo.client.preferences.listPreferences({ path: cleo.path });
  const ofOrders = async () =>
    (await preferences()).find(({ template }) => template.name === 'Orders').preference.channels;
  await until(async () => (await ofOrders()).in_app === false);
  await here.click();
  await until(async () => (await ofOrders()).in_app === true);
  await page.getByRole('switch', { name: 'Quiet hours' }).click();
  const monday = page.getByRole('switch', { name: 'Monday' });
  await monday.click();
  const from = page.getByLabel('Monday, From');
  assert.equal(await from.inputValue(), '09:00');
  await from.fill('08:30');
  await from.dispatchEvent('change');
  await keep(page, 'preferences');
  const schedule = async () =>
    page.evaluate(async () => {
      const { store } = document.querySelector('herald-inbox');
      return (await store.api.call('GET', 'preferences/global')).schedule;
    });
  await until(async () => (await schedule()).weeklySchedule?.monday?.hours[0].start === '08:30 AM');
  assert.deepEqual(await schedule(), {
    isEnabled: true,
    weeklySchedule: { monday: { isEnabled: true, hours: [{ start: '08:30 AM', end: '05:00 PM' }] } },
  });
  const hours = async () =>
    (await schedule()).weeklySchedule.monday.hours.map(({ start, end }) => `${start} - ${end}`).join();
  await page.getByRole('button', { name: 'Monday, more hours' }).click();
  await until(async () => (await hours()) === '08:30 AM - 05:00 PM,06:00 PM - 09:00 PM');
  const second = page.getByLabel('Monday, To').nth(1);
  await page.getByLabel('Monday, From').nth(1).and(page.locator(':focus')).waitFor();
  await second.fill('22:45');
  await second.dispatchEvent('change');
  await until(async () => (await hours()).endsWith('06:00 PM - 10:45 PM'));
  await keep(page, 'two-ranges');
  // The day is full.
  await page.getByRole('button', { name: 'Monday, more hours' }).waitFor({ state: 'detached' });
  await check(page, 'preferences with two ranges');
  await page.getByRole('button', { name: 'Monday, remove these hours' }).first().click();
  await until(async () => (await hours()) === '06:00 PM - 10:45 PM');
  await page.getByRole('button', { name: 'Monday, remove these hours' }).first().waitFor({ state: 'detached' });

  // One after the other, faster than the answers come.
  let sent = 0;
  await page.route(/inbox\/preferences/, async (route) => {
    if (route.request().method() === 'PATCH') await sleep(sent++ === 0 ? 500 : 200);
    await route.continue();
  });
  for (const day of ['Tuesday', 'Wednesday']) await page.getByRole('switch', { name: day }).click();
  await here.click();
  await here.click();
  await here.click();
  await from.fill('18:30');
  await from.dispatchEvent('change');
  const to = page.getByLabel('Monday, To');
  await to.focus();
  await until(async () => {
    assert.equal(await here.isChecked(), false, 'the switch stays as it was clicked last');
    return (await ofOrders()).in_app === false && (await hours()) === '06:30 PM - 10:45 PM';
  });
  assert.deepEqual(Object.keys((await schedule()).weeklySchedule), ['monday', 'tuesday', 'wednesday']);
  assert.equal(await to.and(page.locator(':focus')).count(), 1, 'the focus stays where somebody has put it');
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByText('Nothing here').waitFor();
}

/** Everything without a pointer. */
async function useKeys({ world, open }) {
  const dan = await world.subscriber('dan');
  for (const number of [1, 2, 3]) await dan.receive('order', number);
  const page = await open(dan, { tabs: TABS });
  await bell(page, '3 unread').waitFor();
  const focused = () =>
    page.evaluate(() => {
      const active = document.querySelector('herald-inbox').shadowRoot.activeElement;
      return active?.getAttribute('aria-label') ?? active?.dataset.id ?? active?.textContent;
    });
  await page.keyboard.press('Tab');
  assert.match(await focused(), /3 unread/);
  await page.keyboard.press('Enter');
  await item(page, 'Order 1').waitFor();
  assert.equal(await focused(), 'Notifications');
  await page.getByRole('tab', { name: /^All/ }).focus();
  await page.keyboard.press('ArrowLeft');
  await until(async () => /^News/.test(await focused()));
  await page.keyboard.press('ArrowRight');
  await item(page, 'Order 3').waitFor();
  await item(page, 'Order 3').focus();
  await page.keyboard.press('ArrowDown');
  assert.equal(await focused(), await item(page, 'Order 2').getAttribute('data-id'));
  for (let presses = 0; (await focused()) !== 'Archive'; presses += 1) {
    assert.ok(presses < 6, 'the tools of a notification are reached with Tab');
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await item(page, 'Order 2').waitFor({ state: 'detached' });
  assert.equal(await focused(), await item(page, 'Order 1').getAttribute('data-id'), 'the next one has the focus');
  await page.keyboard.press('Escape');
  await until(async () => /2 unread/.test(await focused()));
  assert.equal(await bell(page, '2 unread').getAttribute('aria-expanded'), 'false');
}

/** What somebody is about to do is not disturbed by rows that are drawn anew: when they are seen, and every minute. */
async function stayInPlace({ world, open }) {
  const hal = await world.subscriber('hal');
  for (const number of [1, 2]) await hal.receive('order', number);
  const page = await open(hal);
  await page.clock.install();
  await bell(page, '2 unread').click();
  await tool(page, 'Order 1', 'Snooze').click();
  const field = page.getByLabel('Until');
  const time = await field.getAttribute('max');
  await field.fill(time);
  const stays = async () => {
    assert.equal(await field.inputValue(), time);
    assert.equal(await field.and(page.locator(':focus')).count(), 1, 'the field keeps the focus');
  };
  await until(async () => (await hal.feed()).every(({ seen }) => seen));
  await stays();
  const aMinuteLater = async () => {
    const rows = page.locator('herald-inbox article');
    await rows.evaluateAll((all) => all.forEach((row) => (row.dataset.before = '')));
    await page.clock.fastForward('01:00');
    await until(async () => (await rows.and(page.locator(':not([data-before])')).count()) === 2);
  };
  await aMinuteLater();
  await stays();
  const archive = tool(page, 'Order 2', 'Archive');
  await archive.focus();
  await aMinuteLater();
  assert.equal(await archive.and(page.locator(':focus')).count(), 1, 'a tool keeps the focus');
  await tool(page, 'Order 1', 'Snooze').click();
  await field.waitFor({ state: 'detached' });
}

/** In all widths and looks: what a checker of accessibility says, and pictures. */
async function look({ world, open, keep, context }) {
  const eve = await world.subscriber('eve');
  for (const [kind, number] of [
    ['order', 1],
    ['news', 2],
    ['bill', 3],
    ['order', 4],
    ['bill', 5],
  ])
    await eve.receive(kind, number);
  for (const [name, more] of [
    ['light', { tabs: TABS }],
    ['dark', { tabs: TABS, theme: 'dark' }],
    ['rtl', { tabs: TABS, lang: 'ar', dir: 'rtl' }],
    ['inline', { tabs: TABS, inline: '', lang: 'de' }],
  ]) {
    const page = await open(eve, more);
    const devtools = await context.newCDPSession(page);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: width < 500 });
      const isOpen = await page.evaluate(() => document.querySelector('herald-inbox').open);
      if (name !== 'inline' && !isOpen) await page.locator('herald-inbox [part=bell]').click();
      await item(page, 'Payment 5').waitFor();
      await page.mouse.move(0, 790);
      await keep(page, `${name}-${width}`);
      await check(page, `${name} at ${width}`);
      const { scrollWidth } = await page.evaluate(() => ({ scrollWidth: document.documentElement.scrollWidth }));
      assert.ok(scrollWidth <= width, `${name}: a page of ${width} px has to scroll sideways (${scrollWidth})`);
    }
    await page.locator('herald-inbox button:has(svg.preferences)').click();
    await page.locator('herald-inbox h3:last-of-type + label [role=switch]').click();
    await page.locator('herald-inbox .day').first().waitFor();
    await keep(page, `${name}-preferences`);
    await check(page, `${name}, preferences`);
    await page.locator('herald-inbox h3:last-of-type + label [role=switch]').click();
    await page.close();
  }
}

/** Two tabs share one stream; the other one goes on when the first is closed. */
async function useTabs({ world, open, context }) {
  const finn = await world.subscriber('finn');
  const streams = [];
  context.on('request', (request) => {
    if (request.url().includes('/v1/inbox/stream')) streams.push(request.url());
  });
  const one = await open(finn);
  await until(async () => (await statusOf(one)) === 'live');
  const other = await open(finn, { open: '' });
  await until(async () => (await statusOf(other)) === 'live');
  await finn.receive('order', 1);
  await item(other, 'Order 1').waitFor();
  await bell(one, '1 unread').waitFor();
  assert.equal(streams.length, 1, 'both tabs share a stream');
  await tool(other, 'Order 1', 'Mark as read').click();
  await bell(one, '0 unread').waitFor();
  await one.close();
  await finn.receive('order', 2);
  await item(other, 'Order 2').waitFor();
  await until(() => streams.length === 2);
  assert.match(streams[1], /lastEventId=/);
}

/** Messages of a group are one row in both tabs, which can be opened, marked and left. */
async function group({ world, open, keep }) {
  const ira = await world.subscriber('ira');
  for (const number of [1, 2]) await ira.receive('comment', number, { plan: 'a' });
  await ira.receive('order', 9);
  const one = await open(ira, { open: '' });
  const other = await open(ira, { open: '' });
  for (const page of [one, other]) {
    await item(page, 'Comment 2').waitFor();
    assert.equal(await item(page, 'Comment 1').count(), 0, 'an older message of the group has no row');
  }
  await ira.receive('comment', 3, { plan: 'a' });
  for (const page of [one, other]) {
    await item(page, 'Comment 3').getByRole('button', { name: 'Show all 3' }).waitFor();
    await item(page, 'Comment 2').waitFor({ state: 'detached' });
    await bell(page, '4 unread').waitFor();
  }
  await one.getByText('Today').waitFor();
  await keep(one, 'closed');
  const opener = item(one, 'Comment 3').getByRole('button', { name: 'Show all 3' });
  await opener.focus();
  await one.keyboard.press('Enter');
  await item(one, 'Comment 1').waitFor();
  const closer = item(one, 'Comment 3').getByRole('button', { name: 'Show less' });
  assert.equal(await closer.and(one.locator(':focus')).count(), 1, 'the button keeps the focus');
  await keep(one, 'open');
  await check(one, 'an open group');
  await tool(one, 'Comment 1', 'Mark as read').click();
  await until(async () => (await ira.message('Comment 1')).read);
  await bell(other, '3 unread').waitFor();
  await ira.receive('comment', 4, { plan: 'a' });
  await item(one, 'Comment 4').getByRole('button', { name: 'Show less' }).waitFor();
  await item(one, 'Comment 3').waitFor();
  await tool(other, 'Comment 4', 'Mark as read').click();
  await bell(one, '1 unread').waitFor();
  await until(async () =>
    (await ira.feed()).filter(({ subject }) => /Comment/.test(subject)).every(({ read }) => read),
  );
  await tool(other, 'Comment 4', 'Archive').click();
  for (const page of [one, other]) await item(page, 'Comment 4').waitFor({ state: 'detached' });
  assert.deepEqual(await subjects(one), ['Order 9']);
}

/** A later message takes the place of the earlier one, in open tabs as well. */
async function replace({ world, open }) {
  const jan = await world.subscriber('jan');
  await jan.receive('parcel', 1);
  await jan.receive('order', 2);
  const pages = [await open(jan, { open: '' }), await open(jan, { open: '' })];
  for (const page of pages) await item(page, 'step 1').waitFor();
  await jan.receive('parcel', 2);
  for (const page of pages) {
    await item(page, 'step 2').waitFor();
    await item(page, 'step 1').waitFor({ state: 'detached' });
    await bell(page, '2 unread').waitFor();
  }
}

async function toast({ world, open, keep }) {
  const kim = await world.subscriber('kim');
  const page = await open(kim, { toast: '' });
  await until(async () => (await statusOf(page)) === 'live');
  await kim.receive('order', 1);
  const shown = page.locator('herald-inbox [part=toast]');
  await shown.filter({ hasText: 'Order 1' }).waitFor();
  await keep(page, 'light');
  await check(page, 'a toast');
  await shown.getByRole('button', { name: 'Close' }).focus();
  await page.keyboard.press('Escape');
  await shown.waitFor({ state: 'detached' });
  for (const number of [2, 3, 4, 5]) await kim.receive('bill', number);
  await shown.filter({ hasText: 'Payment 5' }).waitFor();
  assert.equal(await shown.count(), 3, 'at most three');
  await shown.filter({ hasText: 'Payment 5' }).getByRole('button').first().click();
  await item(page, 'Payment 5').waitFor();
  assert.equal(await shown.count(), 0);
  await kim.receive('order', 6);
  await item(page, 'Order 6').waitFor();
  assert.equal(await shown.count(), 0, 'what is read in the panel needs no toast');
}

/** Escape closes what was opened last, and only that. An inbox that opens or closes says so once. */
async function leaveInOrder({ world, open }) {
  const lea = await world.subscriber('lea');
  await lea.receive('order', 1);
  const page = await open(lea, { open: '' });
  const toggles = () => page.evaluate('events.filter(([name]) => name === "toggle").map(([, { open }]) => open)');
  await tool(page, 'Order 1', 'Snooze').click();
  await page.keyboard.press('Escape');
  await page.getByLabel('Until').waitFor({ state: 'detached' });
  assert.equal(await tool(page, 'Order 1', 'Snooze').and(page.locator(':focus')).count(), 1);
  await page.getByRole('button', { name: 'Preferences' }).click();
  await page.getByRole('switch', { name: 'Quiet hours' }).waitFor();
  await page.keyboard.press('Escape');
  await item(page, 'Order 1').waitFor();
  assert.deepEqual(await toggles(), [], 'nothing was opened or closed');
  await page.keyboard.press('Escape');
  await item(page, 'Order 1').waitFor({ state: 'hidden' });
  assert.deepEqual(await toggles(), [false]);
  await page.evaluate(() => document.querySelector('herald-inbox').setAttribute('theme', 'dark'));
  await page.evaluate(() => document.querySelector('herald-inbox').setAttribute('lang', 'de'));
  await page.evaluate(() => (document.querySelector('herald-inbox').open = true));
  await item(page, 'Order 1').waitFor();
  assert.deepEqual(await toggles(), [false, true]);
}

/** On a phone: rows are moved aside with a finger, and narrow ones are whole. */
async function touch({ world, open, keep, context }) {
  const max = await world.subscriber('max');
  for (const number of [1, 2, 3]) await max.receive('comment', number, { plan: 'a' });
  for (const [kind, number] of [
    ['order', 1],
    ['bill', 2],
    ['parcel', 3],
  ])
    await max.receive(kind, number);
  for (const theme of ['light', 'dark']) {
    const page = await open(max, { open: '', theme, compact: '' });
    await page.setViewportSize({ width: 390, height: 800 });
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    await item(page, 'Payment 2').waitFor();
    await keep(page, `${theme}-compact`);
    await check(page, `compact rows, ${theme}`);
    if (theme === 'light') {
      await until(async () => (await max.feed()).every(({ seen }) => seen));
      await swipe(page, devtools, 'Order 1', -200, () => keep(page, 'swiping'));
      await item(page, 'Order 1').waitFor({ state: 'detached' });
      await until(async () => (await max.message('Order 1')).archived);
      await swipe(page, devtools, 'Payment 2', 200);
      await until(async () => (await max.message('Payment 2')).read);
      await swipe(page, devtools, 'Parcel', -40);
      await swipe(page, devtools, 'Comment 3', 200);
      await bell(page, '1 unread').waitFor();
      assert.equal((await max.message('step 3')).read, false, 'a short move is none');
      assert.match(page.url(), /open=/, 'a swipe is no click');
    }
    await page.close();
  }
}

async function swipe(page, devtools, name, by, halfway = () => undefined) {
  // A row that is drawn anew has none for a moment.
  let box = null;
  await until(async () => (box = await item(page, name).boundingBox()) !== null);
  const { x, y, width, height } = box;
  const at = (dx) => [{ x: x + width / 2 + dx, y: y + height / 2 }];
  const send = (type, touchPoints) => devtools.send('Input.dispatchTouchEvent', { type, touchPoints });
  await send('touchStart', at(0));
  for (let step = 1; step <= 10; step += 1) await send('touchMove', at((by * step) / 10));
  await halfway();
  await send('touchEnd', []);
}

/** A wrong HMAC is told to readers in a plain sentence, and to developers in the console of the browser. */
async function speakPlainly({ world, open, keep, complaints }) {
  const nia = await world.subscriber('nia');
  const page = await open(nia, { 'subscriber-hash': 'wrong', open: '' });
  await page.getByText('The inbox could not be opened.').waitFor();
  await keep(page, 'refused');
  assert.doesNotMatch(await page.locator('herald-inbox').evaluate(({ shadowRoot }) => shadowRoot.textContent), /hmac/i);
  await until(() => complaints().some((text) => text.includes('<herald-inbox>') && /hmac/i.test(text)));
  forgive(complaints());
}

function forgive(texts) {
  texts.splice(0);
}

/** Offline, with a Herald that is killed, and without a stream: each message is there once. */
async function stayWhole({ world, open, context, herald, keep }) {
  const gus = await world.subscriber('gus');
  // The order within a bulk is open, and only rows in sight are drawn: what is looked for comes by itself.
  await gus.receiveMany('order', 29);
  await gus.receive('order', 30);
  const page = await open(gus, { open: '' });
  await item(page, 'Order 30').waitFor();
  await until(async () => (await statusOf(page)) === 'live');
  await context.setOffline(true);
  await page.getByText('No connection.').waitFor();
  await tool(page, 'Order 30', 'Mark as read').click();
  // Rows that were just seen may wait as well.
  await page.getByText(/not saved yet: \d/).waitFor();
  assert.ok((await stateOf(page)).unsent >= 1);
  await keep(page, 'offline');
  await gus.receiveMany('order', 149, 31);
  await gus.receive('order', 180);
  await context.setOffline(false);
  await item(page, 'Order 180').waitFor();
  await until(async () => (await gus.message('Order 180')) && (await statusOf(page)) === 'live');
  await wholeAndOnce(page, 180);
  await until(async () => (await stateOf(page)).unsent === 0);
  const read = await gus.call('GET', '/v1/subscribers/gus/notifications/feed?limit=100&read=true');
  assert.deepEqual(
    read.data.map(({ subject }) => subject),
    ['Order 30'],
    'what was done offline is saved',
  );

  await herald.restart('SIGKILL');
  await gus.receive('order', 181);
  await item(page, 'Order 181').waitFor();
  await wholeAndOnce(page, 181);
}

async function wholeAndOnce(page, count) {
  for (;;) {
    const { ids, hasMore } = await page.evaluate(async () => {
      const { store } = document.querySelector('herald-inbox');
      await store.loadMore();
      return { ids: store.state.items.map(({ id }) => id), hasMore: store.state.hasMore };
    });
    if (hasMore) continue;
    assert.equal(new Set(ids).size, ids.length, 'nothing twice');
    assert.equal(ids.length, count, 'nothing lost');
    return;
  }
}

async function wrap({ world, open, keep }) {
  for (const [path, name] of [
    ['react', 'React'],
    ['vue', 'Vue'],
  ]) {
    const person = await world.subscriber(path);
    await person.receive('bill', 1);
    const page = await open(person, {}, path);
    await page.getByText(`1 for ${name}`).waitFor();
    await page.getByRole('button', { name: 'Messages, 1 unread' }).click();
    await page.getByRole('tab', { name: 'Billing' }).click();
    await item(page, 'Payment 1').waitFor();
    await person.receive('order', 2);
    await page.getByText(`2 for ${name}`).waitFor();
    await page.getByRole('tab', { name: /^All/ }).click();
    await item(page, 'Order 2').waitFor();
    await keep(page, path);
    await page.close();
  }
}

/** The examples of the manual as they stand there: a page of HTML, one with npm, React, Vue, and one that draws itself. */
async function showManual({ world, open, keep }) {
  for (const name of ['manual-html', 'manual-npm', 'manual-react', 'manual-vue']) {
    const person = await world.subscriber(name);
    await person.receive('order', 1);
    const page = await open(person, {}, name);
    await bell(page, '1 unread').click();
    await item(page, 'Order 1').waitFor();
    await person.receive('order', 2);
    await item(page, 'Order 2').waitFor();
    assert.equal(await page.getByRole('tab').count(), name === 'manual-react' ? 2 : 0, name);
    await keep(page, name);
    await page.close();
  }
  const person = await world.subscriber('manual-store');
  await person.receive('order', 1);
  const page = await open(person, {}, 'manual-store');
  await page.getByText('New: Order 1').waitFor();
  await person.receive('order', 2);
  await page.getByText('New: Order 2').click();
  await until(async () => (await person.message('Order 2')).read);
  await page.getByText('Order 2', { exact: true }).waitFor();
  assert.equal(await page.title(), '1 unread');
  await keep(page, 'manual-store');
}

/** Ten thousand messages: few of them are drawn, and the list goes to its end. */
async function scrollFar({ world, open, keep }) {
  const ida = await world.subscriber('ida');
  await ida.receive('order', 1);
  await ida.receiveMany('order', MANY - 1, 2);
  const page = await open(ida, { open: '' });
  await bell(page, '99+ unread').waitFor();
  const scroll = page.locator('herald-inbox .scroll');
  for (;;) {
    const { items, hasMore } = await stateOf(page);
    if (!hasMore && items > 0) break;
    await scroll.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await page.waitForFunction((before) => {
      const { items, hasMore } = document.querySelector('herald-inbox').store.state;
      return items.length > before || !hasMore;
    }, items);
  }
  await wholeAndOnce(page, MANY);
  await scroll.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await item(page, /^Order 1$/).waitFor();
  const rows = await page.locator('herald-inbox article').count();
  assert.ok(rows < 60, `${rows} rows are drawn`);
  const slowest = await scroll.evaluate(async (element) => {
    let longest = 0;
    for (let step = 0; step < 40; step += 1) {
      const began = performance.now();
      element.scrollTo(0, Math.round((element.scrollHeight * step) / 40));
      element.dispatchEvent(new Event('scroll'));
      element.getBoundingClientRect();
      longest = Math.max(longest, performance.now() - began);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return longest;
  });
  console.log(`inbox: ${rows} of ${MANY} rows drawn, the slowest of 40 jumps took ${slowest.toFixed(0)} ms`);
  await scroll.evaluate(async (element) => {
    element.scrollTo(0, element.scrollHeight / 2);
    // A frame later, the list has heard of it and has drawn other rows.
    for (let frames = 0; frames < 2; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
  const before = await scroll.evaluate((element) =>
    [...element.querySelectorAll('article')].map((row) => row.dataset.id),
  );
  await ida.receive('order', MANY + 1);
  await until(async () => (await stateOf(page)).items === MANY + 1);
  const after = await scroll.evaluate((element) =>
    [...element.querySelectorAll('article')].map((row) => row.dataset.id),
  );
  assert.ok(before.filter((id) => after.includes(id)).length > before.length / 2, 'rows stay where the reader is');
  await keep(page, 'ten-thousand');
}

/** The browser subscribes after a click, and its worker shows what is pushed. Only the push service itself is left out. */
async function takePush({ world, open, context, site, keep }) {
  const { client } = world.herald;
  const { publicKey, privateKey } = await vapid();
  await client.integrations.createIntegration({
    body: {
      providerId: 'web-push',
      channel: 'push',
      active: true,
      credentials: { applicationId: publicKey, secretKey: privateKey, from: 'mailto:ops@example.com' },
    },
  });
  const joe = await world.subscriber('joe');
  await context.grantPermissions(['notifications'], { origin: site.url });
  await context.addInitScript(() => {
    const keys = {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    };
    let current = null;
    const subscription = {
      endpoint: 'https://updates.push.example.com/wpush/v2/joe',
      toJSON: () => ({ endpoint: subscription.endpoint, keys }),
      unsubscribe: async () => ((current = null), true),
    };
    PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
      globalThis.subscribed = { applicationServerKey, userVisibleOnly };
      return (current = subscription);
    };
    PushManager.prototype.getSubscription = async () => current;
  });
  const page = await open(joe, { 'push-worker': '/push-worker.js' });
  await bell(page, '0 unread').click();
  await page.getByRole('button', { name: 'Preferences' }).click();
  const toggle = page.getByRole('switch', { name: 'Notifications of this browser' });
  await toggle.click();
  const endpoints = async () => {
    const { channels = [] } = await client.subscribers.getSubscriber({ path: joe.path });
    return channels.flatMap(({ providerId, credentials }) =>
      providerId === 'web-push' ? credentials.deviceTokens : [],
    );
  };
  await until(async () => (await endpoints()).length === 1);
  assert.match((await endpoints())[0], /updates\.push\.example\.com/);
  assert.deepEqual(await page.evaluate('subscribed'), { applicationServerKey: publicKey, userVisibleOnly: true });
  await keep(page, 'push');

  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  // Browsers without a desktop show nothing.
  await worker.evaluate(
    `globalThis.shown = []; registration.showNotification = async (...given) => void shown.push(given);`,
  );
  const devtools = await context.newCDPSession(page);
  const registered = new Promise((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const data = JSON.stringify({ title: 'Order 7', body: 'On its way', data: { url: '/orders/7' } });
  await devtools.send('ServiceWorker.deliverPushMessage', { origin: site.url, registrationId: await registered, data });
  await until(async () => (await worker.evaluate('shown')).length === 1);
  const options = { body: 'On its way', data: { url: '/orders/7' } };
  assert.deepEqual(await worker.evaluate('shown'), [['Order 7', options]]);
  await toggle.click();
  await until(async () => (await endpoints()).length === 0);
}

async function vapid() {
  const { default: webPush } = await import('web-push');
  return webPush.generateVAPIDKeys();
}

function bell(page, unread) {
  return page.locator('herald-inbox').getByRole('button', { name: `Notifications, ${unread}` });
}

function item(page, text) {
  return page.locator('herald-inbox article').filter({ has: page.locator('.open-link', { hasText: text }) });
}

function tool(page, text, name) {
  return item(page, text).getByRole('button', { name, exact: true });
}

function subjects(page) {
  return page.locator('herald-inbox .open-link').allInnerTexts();
}

function statusOf(page) {
  return page.evaluate(() => document.querySelector('herald-inbox').store.state.status);
}

function stateOf(page) {
  return page.evaluate(() => {
    const { items, hasMore, unsent } = document.querySelector('herald-inbox').store.state;
    return { items: items.length, hasMore, unsent };
  });
}

/** @throws if axe finds anything against WCAG 2.2 AA or its best practices in the component */
async function check(page, where) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run('herald-inbox', {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }),
  );
  const found = violations.map(
    ({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
  assert.deepEqual(found, [], where);
}
