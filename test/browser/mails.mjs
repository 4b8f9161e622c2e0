/* global document, getComputedStyle -- functions that run in pages */
import assert from 'node:assert/strict';
import { startCatchers } from '../../tools/demo/catchers.mjs';
import { openBrowser } from './chromium.mjs';
import { MAILS } from './mails/templates.mjs';

/** A mail program on a desk, and one on a phone. */
const WIDTHS = [600, 360];
const ARRIVES_WITHIN_MS = 20_000;
const SUBSCRIBER = { subscriberId: 'mails', email: 'ada@example.com', firstName: 'Ada' };

/**
 * Sends mails by SMTP and looks at what arrives, at the widths of a desk and of a phone.
 * @param options.herald a Herald that was started for this run
 * @param options.screenshot where to keep pictures, if anywhere; each gets a name before the ending
 * @throws at the first mail that is not shown as it should be
 */
export async function lookAtTheMails({ herald, browser, screenshot }) {
  const catchers = await startCatchers({ hasHtml: true });
  const { context, close } = await openBrowser(browser, { width: WIDTHS[0], height: 900 });
  try {
    const arrived = await send(herald.client, catchers);
    const page = await context.newPage();
    for (const mail of MAILS) {
      const { html, attachments, subject, text } = arrived.get(mail.name);
      assert.ok(!`${subject}${html}${text}`.includes('{{'), `${mail.name} has a variable that was not filled in`);
      assert.deepEqual(attachments, mail.attachments, mail.name);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme: mail.name === 'dark' ? 'dark' : 'light' });
        // Mail programs of phones lay a mail out at their own width.
        await page.setContent(html);
        if (screenshot !== undefined) {
          const path = screenshot.replace(/(\.\w+)$/, `-mail-${mail.name}-${width}$1`);
          await page.screenshot({ path, fullPage: true });
        }
        await check(page, mail, width);
      }
    }
  } finally {
    await close();
    await catchers.close();
  }
}

/** @returns what arrived, by the name of the mail */
async function send(client, catchers) {
  await client.integrations.createIntegration({
    body: {
      providerId: 'nodemailer',
      channel: 'email',
      active: true,
      check: false,
      credentials: { ...catchers.smtp, from: 'news@example.com', senderName: 'Ünser Team' },
    },
  });
  await client.subscribers.createSubscriber({ body: SUBSCRIBER });
  const [group] = await client.notificationGroups.listNotificationGroups();
  const arrived = new Map();
  for (const { name, template, payload } of MAILS) {
    const { triggers } = await client.workflows.createWorkflow({
      body: { name: `Mail ${name}`, notificationGroupId: group._id, active: true, steps: [{ template }] },
    });
    const before = catchers.mail.arrivals.length;
    await client.events.triggerEvent({
      body: { name: triggers[0].identifier, to: SUBSCRIBER.subscriberId, payload },
    });
    for (const end = Date.now() + ARRIVES_WITHIN_MS; catchers.mail.arrivals.length === before;) {
      assert.ok(Date.now() < end, `the mail ${name} does not arrive`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    arrived.set(name, catchers.mail.arrivals[before]);
  }
  return arrived;
}

async function check(page, mail, width) {
  const what = `${mail.name} at ${width} px`;
  const own = await page.evaluate(() => document.scrollingElement.scrollWidth);
  assert.ok(own <= width, `${what} has to be scrolled sideways: ${own} px`);
  const shown = (await page.evaluate(() => document.body.innerText)).replace(/\s+/g, ' ');
  for (const text of mail.shows) assert.ok(shown.includes(text), `${what} does not show ${text}: ${shown}`);
  for (const text of mail.hides ?? []) assert.ok(!shown.includes(text), `${what} shows ${text}`);
  const { isSideBySide, isFromTheRight } = mail;
  if (isSideBySide !== undefined) {
    const [one, other] = await Promise.all(
      isSideBySide.map((text) => page.getByText(text, { exact: true }).boundingBox()),
    );
    assert.equal(one.y === other.y, width >= 480, `${what}: columns beside each other`);
  }
  if (isFromTheRight !== undefined) {
    const { direction, textAlign } = await page.getByText(isFromTheRight).evaluate((element) => {
      const style = getComputedStyle(element);
      return { direction: style.direction, textAlign: style.textAlign };
    });
    assert.deepEqual([direction, textAlign], ['rtl', 'start'], what);
  }
  if (mail.name === 'dark') {
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(background, 'rgb(20, 22, 26)', what);
  }
}
