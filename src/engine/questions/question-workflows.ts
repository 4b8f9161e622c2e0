import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import {
  type ResolvedWorkflow,
  type WorkflowDefinitionDto,
  WorkflowDefinitionsService,
  WorkflowsService,
} from '../../content/workflows/index.js';

/** Carries the messages of questions that name no workflow. It is made when it is needed, and belongs to the team. */
const QUESTION_WORKFLOW = 'question';

@Injectable()
export class QuestionWorkflows {
  constructor(
    private readonly workflows: WorkflowsService,
    private readonly definitions: WorkflowDefinitionsService,
  ) {}

  /** @returns undefined if there is none of this name */
  async find(tenant: TenantContext, identifier: string | undefined): Promise<ResolvedWorkflow | undefined> {
    const found = await this.workflows.resolve(tenant, identifier ?? QUESTION_WORKFLOW);
    if (found !== undefined || identifier !== undefined) return found;
    await this.definitions.provide(tenant, {
      identifier: QUESTION_WORKFLOW,
      name: 'Question',
      steps: STEPS,
      active: true,
      critical: true,
      tags: [QUESTION_WORKFLOW],
    });
    return this.workflows.resolve(tenant, QUESTION_WORKFLOW);
  }
}

const TEXT = '{{#if question.isReminder}}Reminder: {{/if}}{{question.title}}';
const BODY = '<strong>{{question.title}}</strong>{{#if question.body}}<br>{{question.body}}{{/if}}';
type Filters = NonNullable<WorkflowDefinitionDto['steps'][number]['filters']>;
type Condition = Filters[number]['children'][number];

const isTrue = (field: string): Condition => ({ on: 'payload', field, operator: 'EQUAL', value: 'true' });
const all = (...children: Condition[]): Filters => [{ value: 'AND', children }];

const STEPS: WorkflowDefinitionDto['steps'] = [
  {
    uuid: 'in-app-buttons',
    name: 'In the app, with buttons',
    template: {
      type: 'in_app',
      content: BODY,
      cta: {
        type: 'redirect',
        data: {},
        action: {
          buttons: [
            { type: 'primary', content: '{{question.primary}}' },
            { type: 'secondary', content: '{{question.secondary}}' },
          ],
        },
      },
    },
    filters: all(isTrue('question.hasButtons')),
  },
  {
    uuid: 'in-app-link',
    name: 'In the app, with a link',
    template: { type: 'in_app', content: BODY, cta: { type: 'redirect', data: { url: '{{answerUrl}}' } } },
    filters: all({ ...isTrue('question.hasButtons'), value: 'false' }),
  },
  {
    uuid: 'mail',
    name: 'Mail with a link',
    template: {
      type: 'email',
      subject: TEXT,
      contentType: 'customHtml',
      content:
        '<h1>{{question.title}}</h1>{{#if question.body}}<p>{{question.body}}</p>{{/if}}<p><a href="{{answerUrl}}">Answer</a></p>',
    },
    filters: all(isTrue('question.hasMail'), {
      on: 'subscriber',
      field: 'email',
      operator: 'IS_DEFINED',
      value: '',
    }),
  },
  {
    uuid: 'chat',
    name: 'Chat with a link',
    template: {
      type: 'chat',
      content: `${TEXT}{{#if question.body}}\n{{question.body}}{{/if}}\nAnswer: {{answerUrl}}`,
    },
    filters: all(isTrue('question.hasChat')),
  },
  {
    uuid: 'push',
    name: 'Push with buttons',
    template: {
      type: 'push',
      title: '{{#if question.isReminder}}Reminder{{else}}Question{{/if}}',
      content: '{{question.title}}',
    },
    filters: all(isTrue('question.hasPush')),
  },
];
