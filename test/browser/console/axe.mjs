import assert from 'node:assert/strict';
import axe from 'axe-core';

/** No finding that axe calls serious or critical. The policy of the page keeps scripts out, so it runs from the outside. */
export async function checkAccessible(page, what) {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(globalThis.document, {
      resultTypes: ['violations'],
      iframes: false,
    });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join('; ')}`,
      );
  });
  assert.deepEqual(found, [], `axe finds in ${what}`);
}
