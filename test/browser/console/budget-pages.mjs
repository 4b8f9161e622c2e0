import assert from 'node:assert/strict';
import { onPage } from './page.mjs';

/** A budget is made, changed and deleted in dialogs; what does not fit is said in them. */
export async function checkBudgets(page, { client, workflows }, keep) {
  await onPage(page, 'Budgets');
  await page.getByText('No budgets yet').waitFor();
  await page.getByRole('button', { name: 'New budget…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Five a day');
  await dialog.getByLabel('Email').check();
  await dialog.getByLabel('In which time').selectOption('rolling');
  await dialog.getByLabel('Length').fill('40');
  await dialog.getByLabel('Unit').selectOption('days');
  await dialog.getByLabel('Messages over it').selectOption('hold');
  const identifier = workflows.Receipt.triggers[0].identifier;
  await dialog.locator(`option[value="${identifier}"]`).waitFor({ state: 'attached' });
  await dialog.getByLabel('Workflow that sends the digest').selectOption(identifier);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('amount must make a window of at most 31 days').waitFor();
  await keep('budget-form');
  await dialog.getByLabel('Length').fill('7');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const row = page.locator('tbody tr', { hasText: 'Five a day' });
  await row.getByText('5 in any 7 days').waitFor();
  await row.getByText(`One digest, by ${identifier}`).waitFor();
  const [budget] = await client.budgets.listBudgets();
  const rolling = { window: 'rolling', amount: 7, unit: 'days', over: 'hold', digestWorkflow: identifier };
  assert.deepEqual({ ...budget, ...rolling, channels: ['email'], max: 5, active: true }, budget);
  await row.getByRole('button', { name: 'Change… Five a day' }).click();
  assert.equal(await dialog.getByLabel('Workflow that sends the digest').inputValue(), identifier);
  await dialog.getByLabel('At most').fill('3');
  await dialog.getByLabel('In which time').selectOption('day');
  await dialog.getByLabel('Messages over it').selectOption('drop');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row.getByText('3 a day').waitFor();
  await keep('budgets');
  await row.getByRole('button', { name: 'Delete… Five a day' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No budgets yet').waitFor();
}
