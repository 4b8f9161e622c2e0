import { isDeepStrictEqual } from 'node:util';
import type { Type } from '@nestjs/common';
import { accept, obstacleOf } from '../../libs/http-kit/src/validation/compiled-input.js';
import { fullValidation } from '../../libs/http-kit/src/validation/validation.pipe.js';
import { repetitions } from '../harness/index.js';
import { inputClasses } from '../support/input-classes.js';
import { randomFrom, randomInput } from '../support/random-input.js';

const INPUTS_PER_CLASS = repetitions({ short: 300, long: 2_000 });
const ALL_COMPARED = 200;

const full = fullValidation();
const copyOf = (input: unknown): unknown => (input === undefined ? undefined : JSON.parse(JSON.stringify(input)));

/** Compares the results of both ways for the inputs of one seed. */
async function compare(type: Type<object>, seed: number): Promise<{ accepted: number; differences: unknown[] }> {
  const random = randomFrom(seed);
  const differences: unknown[] = [];
  let accepted = 0;
  for (let turn = 0; turn < INPUTS_PER_CLASS; turn++) {
    const input = randomInput(type, random);
    const sent = copyOf(input);
    const quick = accept(type, sent);
    if (quick !== undefined) accepted += 1;
    // That valid inputs are accepted at once is only about speed, and examined for fewer: faults take long to word.
    if (quick === undefined && turn > ALL_COMPARED) continue;
    const slow: unknown = await full.transform(input, { type: 'body', metatype: type }).catch(() => undefined);
    if (!isSame(quick, slow)) differences.push({ sent, quick, slow });
    if (!isSame(sent, copyOf(input))) differences.push({ changed: sent });
  }
  return { accepted, differences };
}

/** Prototypes, values and the order of keys. */
function isSame(quick: unknown, slow: unknown): boolean {
  return isDeepStrictEqual(quick, slow) && JSON.stringify(quick) === JSON.stringify(slow);
}

describe('compiled checks of inputs', () => {
  let classes: Type<object>[];
  beforeAll(async () => {
    classes = await inputClasses();
  });

  it('should exist for all classes except those that are checked in turns', () => {
    expect(classes.length).toBeGreaterThan(45);
    const slow = classes.flatMap((type) => {
      const obstacle = obstacleOf(type);
      return obstacle === undefined ? [] : [`${type.name}: ${obstacle}`];
    });
    expect(slow).toEqual([
      'CreateWorkflowDto: steps: areSteps takes the full validation',
      'UpdateNotificationTemplateDto: steps: areSteps takes the full validation',
      'UpdateWorkflowDto: steps: areSteps takes the full validation',
      'WorkflowDefinitionDto: steps: arePortableSteps takes the full validation',
    ]);
  });

  it('should accept what the full validation accepts, with the same result', async () => {
    const rarelyAccepted: string[] = [];
    for (const [at, type] of classes.filter((one) => obstacleOf(one) === undefined).entries()) {
      const { accepted, differences } = await compare(type, at + 1);
      expect([type.name, differences]).toEqual([type.name, []]);
      if (accepted <= INPUTS_PER_CLASS / 50) rarelyAccepted.push(type.name);
    }
    // Inputs that are hardly ever valid would show nothing. Chance does not find the point of a curve that a push key is.
    expect(rarelyAccepted).toEqual(['CreatePushSubscriptionDto']);
  });
});
