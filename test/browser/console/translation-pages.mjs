import assert from 'node:assert/strict';
import { checkAccessible } from './axe.mjs';
import { onPage, waitForCount } from './page.mjs';

const ENGLISH = {
  mail: {
    subject: 'Your order {number}',
    hello: 'Hello {name}',
    items: '{count, plural, one {# item} other {# items}}',
  },
  button: 'Follow the parcel',
};
const ARABIC = {
  'mail.subject': 'طلبك رقم {number}',
  'mail.hello': 'مرحبًا {name}، طلبك في الطريق إليك.',
  'mail.items':
    '{count, plural, zero {لا منتجات} one {منتج واحد} two {منتجان} few {# منتجات} many {# منتجًا} other {# منتج}}',
};

/** Locales come from files, gaps are marked and filled, and a mail in Arabic is read from right to left. */
export async function checkTranslations(page, { client }, keep) {
  await onPage(page, 'Translations');
  await page.getByText('No translations yet').waitFor();
  await addLocale(page, 'en', ENGLISH);
  await addLocale(page, 'ar', ARABIC);
  const words = page.getByRole('region', { name: 'Messages by key and locale' });
  await words.locator('tr', { hasText: 'button' }).getByText('missing', { exact: true }).waitFor();
  await page.getByLabel('Only missing ones').check();
  await waitForCount(words.locator('tbody tr'), 1);
  await keep('translations-missing');
  await words.getByRole('button', { name: 'button' }).click();
  await page.getByLabel('ar', { exact: true }).fill('{broken');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/Messages, button is not an ICU message/).waitFor();
  await page.getByLabel('ar', { exact: true }).fill('تتبع الطرد');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('No keys').waitFor();
  await page.getByLabel('Only missing ones').uncheck();
  await waitForCount(words.locator('td [dir=rtl]'), 4);
  await checkAccessible(page, 'the translations');
  await keep('translations');
  const { messages } = await client.translations.getTranslation({ path: { locale: 'ar' } });
  assert.deepEqual(messages, { ...ARABIC, button: 'تتبع الطرد' });
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export ar' }).click();
  assert.equal((await download).suggestedFilename(), 'ar.json');
  await checkArabicMail(page, client, keep);
}

async function addLocale(page, locale, messages) {
  await page.getByRole('button', { name: 'Add a locale…' }).click();
  await page.getByLabel('Locale', { exact: true }).fill(locale);
  const buffer = Buffer.from(JSON.stringify(messages));
  await page.getByLabel('File').setInputFiles({ name: `${locale}.json`, mimeType: 'application/json', buffer });
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page
    .getByRole('row', { name: new RegExp(`^${locale} `) })
    .first()
    .waitFor();
}

async function checkArabicMail(page, client, keep) {
  const template = {
    type: 'email',
    contentType: 'editor',
    subject: "{{t 'mail.subject' number=number}}",
    content: [
      { type: 'text', content: "{{t 'mail.hello' name=subscriber.firstName}}", styles: { textAlign: 'left' } },
      { type: 'text', content: "<ul><li>{{t 'mail.items' count=3}}</li><li>{{t 'mail.items' count=11}}</li></ul>" },
      { type: 'button', content: "{{t 'button'}}", url: 'https://shop.example' },
    ],
  };
  const { _id: notificationGroupId } = (await client.notificationGroups.listNotificationGroups())[0];
  const body = { name: 'Languages', notificationGroupId, active: true, steps: [{ template }] };
  const { _id, steps } = await client.workflows.createWorkflow({ body });
  await onPage(page, 'Workflows');
  await page.getByRole('link', { name: 'Languages' }).click();
  await page
    .getByRole('link', { name: /Preview/ })
    .first()
    .click();
  await page.getByLabel('Locale').fill('ar-EG');
  await page.keyboard.press('Enter');
  await page
    .getByText(/طلبك رقم/)
    .first()
    .waitFor();
  const mail = page.frameLocator('.mail-frame').frameLocator('iframe').locator('body');
  await mail.getByText('تتبع الطرد').waitFor();
  assert.equal(await mail.evaluate((element) => globalThis.getComputedStyle(element).direction), 'rtl');
  await keep('mail-in-arabic');
  const path = { workflowId: _id, stepId: steps[0]._id };
  const { content } = await client.workflows.previewStep({ path, body: { locale: 'ar', payload: { number: 7 } } });
  assert.match(content, /<html lang="ar" dir="rtl">/);
  await client.workflows.deleteWorkflow({ path: { workflowId: _id } });
}
