import { checkAccessible } from './axe.mjs';
import { onPage } from './page.mjs';

/** On the page of a subscriber: why a text did not arrive, in the words of the notification. */
export async function askWhy(page, keep) {
  await onPage(page, 'Subscribers');
  await page.getByRole('link', { name: 'cleo', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Why did they get it, or not?' });
  await panel.getByLabel('Workflow').selectOption({ label: 'Order text' });
  await panel
    .getByText(/^SMS: failed after 3 attempts\. The provider was not available\. .*Service is down for maintenance/)
    .waitFor();
  await panel.getByText("Check the provider's status page.").first().waitFor();
  await checkAccessible(page, 'the question why');
  await keep('why');
  await panel.getByLabel('Expected at').fill('2020-01-31T12:00');
  await panel.getByLabel('Expected at').press('Enter');
  await panel.getByText('Not triggered').waitFor();
  await keep('why-not-triggered');
  await onPage(page, 'Activity');
}
