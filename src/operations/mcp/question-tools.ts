import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CreateQuestionDto, QuestionsService } from '../../engine/questions/index.js';
import { AgentSends } from './agent-sends.js';
import { inputOf, tool, type Tool } from './tool.js';

const MAX_WAIT_SECONDS = 50;

/** Questions of agents to people. */
@Injectable()
export class QuestionTools {
  readonly tools: readonly Tool[] = [this.ask(), this.question()];

  constructor(
    private readonly questions: QuestionsService,
    private readonly sends: AgentSends,
  ) {}

  private ask(): Tool {
    return tool({
      name: 'ask',
      description:
        'Asks people a question where they are reached, and answers at once with its _id. It gets exactly one outcome, which question reads.',
      scope: 'trigger',
      resource: 'question',
      action: 'createQuestion',
      input: z.strictObject({
        title: z.string().describe('the question, in a sentence'),
        body: z.string().optional().describe('what they need to know'),
        to: z.array(z.string()).min(1).max(1_000).describe('ids of subscribers'),
        kind: z.enum(['approve', 'choose', 'text', 'number']).default('approve'),
        options: z
          .array(z.strictObject({ id: z.string(), label: z.string() }))
          .optional()
          .describe('with choose'),
        quorum: z.union([z.enum(['one', 'all']), z.int()]).optional(),
        expiresIn: z.int().optional().describe('seconds; default a week'),
        default: z.union([z.string(), z.number()]).optional().describe('answer if nobody decides in time'),
      }),
      run: async (caller, { to, ...asked }) => {
        const subscribers = [...new Set(to)];
        const dto = await inputOf(CreateQuestionDto, 'body', { ...asked, subscribers });
        return this.sends.send(caller, { operation: 'createQuestion', to: subscribers, body: asked }, async () => {
          const { _id, status, expiresAt } = await this.questions.create(caller, dto);
          const next = 'Call question with wait until it is not open.';
          return { data: { _id, status, expiresAt, next }, about: { id: _id } };
        });
      },
    });
  }

  private question(): Tool {
    return tool({
      name: 'question',
      description: 'Reads a question: its status, its outcome and who has answered what.',
      scope: 'read',
      resource: 'question',
      isReadOnly: true,
      action: 'getQuestion',
      input: z.strictObject({
        id: z.string().regex(/^[0-9a-f]{24}$/i),
        wait: z.int().min(0).max(MAX_WAIT_SECONDS).default(0).describe('seconds to wait for the outcome'),
      }),
      run: async (caller, { id, wait }) => {
        const { title, kind, status, outcome, answers, people, expiresAt, request } = await this.questions.wait(
          caller,
          id,
          wait,
        );
        const given = answers.map(({ subscriberId, value, at }) => ({ subscriberId, value, at }));
        const asked = people.map(({ subscriberId }) => subscriberId);
        return {
          data: {
            _id: id,
            title,
            kind,
            status,
            outcome,
            answers: given,
            people: asked,
            expiresAt,
            result: request?.result,
          },
          about: { id },
        };
      },
    });
  }
}
