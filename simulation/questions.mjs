import { setTimeout as sleep } from 'node:timers/promises';
import { SUBSCRIBERS } from './kinds.mjs';
import { world } from './world/world.mjs';

/** What clients ask, and what people answer, also to the questions of steps. */
export class Questions {
  /** Ids of those that were accepted. */
  asked = [];
  /** Answers that were taken: question, person and value. */
  taken = [];
  /** Outcomes that somebody was shown, each with its question. */
  shown = [];

  async ask(client, dice) {
    for (let left = 4; left > 0; left -= 1) {
      const { isOk, data } = await client.once('POST', '/v1/questions', {
        title: 'Deploy?',
        subscribers: dice.of([['s0'], ['s0', 's1', 's2']]),
        waves: [{ subscribers: ['s3'], after: 12 }],
        expiresIn: dice.of([15, 30, 60]),
        quorum: dice.of(['one', 2, 2]),
        veto: dice.chance(0.3),
        ...(dice.chance(0.5) && { default: 'refuse' }),
        ...(dice.chance(0.5) && { remindAfter: 8 }),
      });
      if (isOk) await this.follow(client, dice, data._id);
      await sleep(dice.between(0, 20_000));
    }
  }

  async follow(client, dice, id) {
    this.asked.push(id);
    const path = `/v1/questions/${id}`;
    if (dice.chance(0.6)) return this.look(await client.once('GET', `${path}?wait=${dice.between(0, 30)}`));
    await sleep(dice.between(0, 30_000));
    return this.look(await client.once('POST', `${path}/cancel`, undefined, [409]));
  }

  look({ isOk, data }) {
    if (isOk && data.outcome !== undefined) this.shown.push({ id: data._id, outcome: textOf(data) });
  }

  /** Two people answer at the same moment. */
  async answer(client, dice) {
    for (let left = 25; left > 0; left -= 1) {
      const { isOk, data } = await client.once('GET', '/v1/questions?status=open');
      const question = isOk && data.length > 0 ? dice.of(data) : undefined;
      const leftMs = Date.parse(question?.expiresAt) - Date.now();
      // Some answer at the last moment.
      if (leftMs < 20_000 && dice.chance(0.3)) await sleep(Math.max(0, leftMs + dice.between(-20, 60)));
      const people = question === undefined ? [] : dice.of([[dice.of(SUBSCRIBERS)], ['s0', 's1'], ['s2', 's3']]);
      const values = dice.of([
        ['approve', 'approve'],
        ['refuse', 'refuse'],
        ['approve', 'refuse'],
      ]);
      await Promise.all(people.map((person, place) => this.say(client, question._id, person, values[place])));
      await sleep(dice.between(0, 12_000));
    }
  }

  async say(client, id, subscriberId, value) {
    const body = { subscriberId, value };
    const answer = await client.once('POST', `/v1/questions/${id}/answers`, body, [403, 409]);
    if (!answer.isOk) return;
    world.tell(`${subscriberId} answers question ${id}: ${value}`);
    this.taken.push({ id, said: `${subscriberId} ${value}` });
    this.look(answer);
  }

  /** @param records what is stored: questions and messages; @param told what webhooks were sent of them */
  judge(records, messages, told) {
    const known = new Map(records.map((row) => [row._id.toHexString(), row]));
    for (const id of this.asked) if (!known.has(id)) world.fail('P23', `question ${id} was accepted and is not there`);
    for (const { id, said } of this.taken)
      if (!known.get(id)?.answers.some((one) => `${one.subscriberId} ${one.value}` === said))
        world.fail('P23', `the answer ${said} to question ${id} was accepted and is not there`);
    for (const [id, row] of known) {
      const own = told.filter(({ question }) => question?._id === id);
      const shown = this.shown.filter((one) => one.id === id).map(({ outcome }) => outcome);
      const copies = messages.filter(
        ({ transactionId, channel }) => channel === 'in_app' && transactionId.startsWith(`question:${id}:`),
      );
      for (const fault of faultsOf(row, own, shown, copies)) world.fail('P23', `question ${id} ${fault}`);
    }
  }
}

/** @yields what contradicts that a question has one outcome, of which everybody was told */
function* faultsOf(row, told, shown, copies) {
  const { status, outcome, answers, expiresAt } = row;
  if (status === 'open' || outcome === undefined) return yield 'has no outcome';
  const text = textOf(row);
  for (const other of [...told.map(({ question }) => textOf(question)), ...shown])
    if (other !== text) yield `has the outcome ${text}, and ${other} was told`;
  if (new Set(told.map(({ id }) => id)).size !== 1) yield `has ${new Set(told.map(({ id }) => id)).size} webhooks`;
  if (new Set(answers.map(({ subscriberId }) => subscriberId)).size < answers.length) yield 'has two answers of one';
  if (answers.some(({ at }) => at >= expiresAt)) yield 'has an answer after its time limit';
  if (status === 'answered' && outcome.by?.subscriberId !== answers.at(-1)?.subscriberId)
    yield 'was decided by another answer than the last one';
  const open = copies.filter(({ isClosed }) => isClosed !== true).length;
  if (open > 0) yield `has ${open} messages that do not say who decided`;
  return undefined;
}

/** As it is stored, answered and sent. */
function textOf({ status, outcome: { value, at, by } }) {
  return JSON.stringify([status, value, new Date(at), by?.type, by?.subscriberId]);
}
