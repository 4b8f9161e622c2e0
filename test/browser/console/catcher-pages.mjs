import assert from 'node:assert/strict';
import { checkAccessible } from './axe.mjs';
import { onPage, waitForCount } from './page.mjs';
import { HOSTILE } from './scenes.mjs';

const PHONE = { width: 390, height: 844 };

/** The catcher is switched on, shows a message of every channel as people would see it, live, and is switched off. */
export async function checkCatcher(page, { client }, keep) {
  const wide = page.viewportSize();
  await onPage(page, 'Catcher');
  await page.getByText('Nothing caught yet', { exact: true }).waitFor();
  await page.getByText('Off: messages are sent').waitFor();
  await checkAccessible(page, 'an empty catcher');
  await keep('catcher-empty');
  await page.getByRole('button', { name: 'Catch a sample in every channel' }).click();
  const rows = page.getByRole('list', { name: 'Caught messages, newest first' }).getByRole('listitem');
  await rows.nth(4).waitFor();
  await page.getByText('Everything is caught: no email').waitFor();
  const message = page.getByRole('region', { name: 'Message' });
  const show = async (channel) => {
    await rows.filter({ hasText: channel }).first().getByRole('link').click();
    await message.getByRole('heading', { name: `${channel} to Sample` }).waitFor();
  };
  await show('Email');
  await message.locator('.mail-subject', { hasText: 'Welcome to Herald' }).waitFor();
  const mail = message.frameLocator('.mail-frame').frameLocator('iframe');
  await mail.getByText('this is the first message of Herald to you.').waitFor();
  await checkAccessible(page, 'a caught mail');
  await keep('catcher-email');
  const width = () => message.locator('.mail-window').evaluate((node) => node.getBoundingClientRect().width);
  const desktop = await width();
  await message.getByRole('button', { name: 'Phone' }).click();
  assert.ok((await width()) <= 375 && desktop > 375, 'the mail is as wide as on a phone');
  await show('SMS');
  await message.getByText('1 segment (GSM-7)').waitFor();
  await keep('catcher-sms');
  await show('Push');
  await message.locator('.push-card', { hasText: 'Welcome to Herald' }).waitFor();
  await message.getByText('Nothing: no other integration would have sent it').waitFor();
  await show('Chat');
  await message.locator('.frame-chat', { hasText: 'welcome to Herald' }).waitFor();
  await show('In-app');
  await message.locator('.frame-inbox').waitFor();
  await checkAccessible(page, 'a caught in-app message');

  // Live, and with whatever the message has.
  await page.getByLabel('Subscriber id').fill('');
  await page.keyboard.press('Enter');
  await page.waitForURL(({ search }) => !search.includes('subscriberId'));
  const to = { subscriberId: 'hostile', firstName: HOSTILE, email: 'hostile@example.com' };
  const overrides = {
    email: { cc: ['cc@example.com'], replyTo: 'support@example.com', subject: HOSTILE },
    chat: { blocks: [{ text: HOSTILE }] },
  };
  await client.events.triggerEvent({
    body: { name: 'sample-every-channel', to, overrides, payload: { product: 'Live' } },
  });
  await page.mouse.move(0, 0);
  await page.evaluate('document.activeElement.blur()');
  await rows.nth(8).waitFor();
  await page.getByLabel('Channel').selectOption('email');
  await page.waitForURL(/channel=email/);
  await rows.filter({ hasText: 'In-app' }).first().waitFor({ state: 'detached' });
  await waitForCount(rows, 2);
  await rows.first().getByRole('link').focus();
  await page.keyboard.press('Enter');
  await message.getByText('cc@example.com').waitFor();
  await message.getByText('support@example.com').waitFor();
  await waitForCount(rows, 2);
  await message.getByRole('link', { name: 'Trail of the notification' }).click();
  await page.locator('.step-list').waitFor();
  await page.goBack();
  await message.getByText('cc@example.com').waitFor();

  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.equal(await rows.first().isVisible(), false);
  const scrolled = await page.evaluate('document.documentElement.scrollWidth');
  assert.ok(scrolled <= PHONE.width, `a caught mail has to be scrolled sideways: ${scrolled} px`);
  await checkAccessible(page, 'a caught mail in the dark on a phone');
  await keep('catcher-phone-email');
  await message.getByRole('link', { name: '← All messages' }).click();
  await rows.first().waitFor();
  await checkAccessible(page, 'the catcher in the dark on a phone');
  await keep('catcher-phone');
  await page.setViewportSize(wide);
  await page.emulateMedia({ colorScheme: 'light' });

  await onPage(page, 'Integrations');
  await waitForCount(page.getByText('Caught: nothing is sent.'), 4);
  await onPage(page, 'Catcher');
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Off: messages are sent').waitFor();
  const { isOn, channels } = await client.testing.getCatcher();
  assert.equal(isOn, false);
  for (const { integrationId } of channels) {
    await client.integrations.deleteIntegration({ path: { integrationId } });
  }
  assert.equal(await page.evaluate('window.broken'), undefined);
}
