import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Herald } from '@herald/client';
import { openBrowser } from '../../test/browser/chromium.mjs';
import { openConsole, signIn } from '../../test/browser/console/page.mjs';
import { findHerald } from '../herald.mjs';
import { ROOT } from '../install.mjs';

// node tools/docs/guide-pictures.mjs: does what guides of the manual say with a Herald of its own, and keeps what a person sees of it in Chromium.
const FOLDER = join(ROOT, 'docs', 'images');
const BROWSER = process.env.CHROMIUM || '/usr/bin/chromium';

const PAGE = { width: 1000, height: 760 };
const ARRIVES_WITHIN_MS = 60_000;
const COMMENTS = [
  ['Grace', 'Looks good'],
  ['Alan', 'Chapter 2 is missing'],
  ['Margaret', 'Can we show the figures by month?'],
];
/** What somebody fills in who follows the page of a provider. */
const FORMS = {
  sendgrid: {
    channel: 'email',
    fields: { 'API key': 'SG.secret', 'From address': 'shop@example.com', 'From name': 'The shop' },
  },
  twilio: {
    channel: 'sms',
    fields: {
      'Account SID': 'AC0123456789abcdef',
      'Auth Token': 'secret',
      'From number or Messaging Service SID': '+15005550006',
    },
  },
  slack: { channel: 'chat', fields: {} },
};

const herald = await findHerald(
  { ...process.env, HERALD_URL: undefined },
  { PUBLIC_URL: 'https://herald.example.com' },
);
const { context, close } = await openBrowser(BROWSER, PAGE);
try {
  const client = new Herald({ baseUrl: herald.url, apiKey: herald.apiKey });
  const page = await context.newPage();
  const keep = async (name, options) => writeFileSync(join(FOLDER, `${name}.png`), await page.screenshot(options));
  await showForms(page, keep);
  await setUp(client);
  await showMails(page, client, keep);
  await showDeletion(page, keep);
} finally {
  await close();
  await herald.stop();
}

async function openPage(page, path) {
  await openConsole(page, herald, path);
  await signIn(page, herald.apiKey);
}

async function boxOf(page, part) {
  const { x, y, width, height } = await page.locator(part).boundingBox();
  return { x: x - 8, y: y - 8, width: width + 16, height: height + 16 };
}

async function showForms(page, keep) {
  for (const [provider, { channel, fields }] of Object.entries(FORMS)) {
    await openPage(page, `/integrations/new?channel=${channel}&provider=${provider}`);
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
    await page.locator('h1').click();
    await keep(provider, { fullPage: true, clip: await boxOf(page, '.narrow-form') });
  }
}

async function setUp(client) {
  await client.integrations.createIntegration({
    body: {
      providerId: 'catcher-email',
      channel: 'email',
      name: 'Catcher',
      active: true,
      check: false,
      credentials: { from: 'hello@example.com', senderName: 'Example' },
    },
  });
  await client.subscribers.createSubscriber({
    body: { subscriberId: 'ada', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
  });
  const workflow = (name, steps, more) =>
    client.workflows.createWorkflow({ body: { name, active: true, steps, ...more } });
  const email = (subject, content) => ({
    template: { type: 'email', contentType: 'customHtml', subject, content },
  });
  await workflow(
    'Sign-in code',
    [
      {
        template: {
          type: 'email',
          subject: '{{code}} is your code',
          content: 'Enter {{code}} to sign in. It is valid for {{minutes}} minutes.',
        },
      },
    ],
    { critical: true, missingAddress: 'fail' },
  );
  await workflow('New comment', [
    { template: { type: 'in_app', content: '{{author}} commented on {{document}}: {{text}}' } },
    { template: { type: 'digest' }, metadata: { type: 'regular', amount: 15, unit: 'seconds' } },
    email(
      '{{step.total_count}} new {{pluralize step.total_count "comment" "comments"}}',
      '<p>Hello {{subscriber.firstName}}!</p><ul>{{#each step.events}}<li>{{author}}: {{text}}</li>{{/each}}</ul>',
    ),
  ]);
  await workflow(
    'Newsletter',
    [email('News', '<p>A new issue is out.</p><p><a href="{{preferencesUrl}}">Choose what you get</a></p>')],
    { tags: ['News'], description: 'Once a month' },
  );
}

async function showMails(page, client, keep) {
  const trigger = (name, payload = {}) => client.events.triggerEvent({ body: { name, to: 'ada', payload } });
  const open = async (subject) => {
    await openPage(page, '/catcher');
    const rows = page.getByRole('list', { name: 'Caught messages, newest first' }).getByRole('listitem');
    await rows.filter({ hasText: subject }).first().getByRole('link').click({ timeout: ARRIVES_WITHIN_MS });
    await page.locator('.mail-subject', { hasText: subject }).waitFor();
    return page.frameLocator('.mail-frame').frameLocator('iframe');
  };
  /** Without what is empty below the text. */
  const window = async (height) => ({ clip: { ...(await boxOf(page, '.mail-window')), height } });
  await page.setViewportSize({ ...PAGE, width: 1400 });
  await trigger('sign-in-code', { code: '482913', minutes: 10 });
  for (const [author, text] of COMMENTS) await trigger('new-comment', { document: 'Plan', author, text });
  await trigger('newsletter');
  await (await open('482913 is your code')).getByText('Enter 482913').waitFor();
  await keep('one-time-code', await window(190));
  await (await open('3 new comments')).getByText('Chapter 2 is missing').waitFor();
  await keep('comments-digest', await window(210));
  const mail = await open('News');
  const { pathname } = new URL(await mail.getByRole('link', { name: 'Choose what you get' }).getAttribute('href'));
  await page.setViewportSize({ ...PAGE, width: 700 });
  await page.goto(`${herald.url}${pathname}`);
  await keep('preference-page', { clip: { x: 0, y: 0, width: 700, height: 690 } });
  await page.setViewportSize(PAGE);
}

async function showDeletion(page, keep) {
  await openPage(page, '/subscribers/ada');
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('ada');
  await keep('delete-subscriber', { clip: await boxOf(page, 'dialog[open]') });
}
