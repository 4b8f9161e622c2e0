import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { Caller } from '#libs/common';
import {
  CreateWorkflowDto,
  ListWorkflowsDto,
  UpdateWorkflowDto,
  type WorkflowResponse,
  WorkflowsService,
  type WorkflowSummaryResponse,
} from '../../content/workflows/index.js';
import { PreviewStepDto, StepPreviewsService } from '../../engine/previews/index.js';
import { EnvironmentsService } from '../../platform/environments/index.js';
import { inputOf, tool, type Tool } from './tool.js';

interface Draft {
  readonly workflow?: string | undefined;
  readonly name?: string | undefined;
  readonly steps: readonly Readonly<Record<string, unknown>>[];
  readonly note?: string | undefined;
}

/** Workflows, which agents read and draft, and people switch on. */
@Injectable()
export class WorkflowTools {
  readonly tools: readonly Tool[] = [this.list(), this.get(), this.draft(), this.preview()];

  constructor(
    private readonly workflows: WorkflowsService,
    private readonly previews: StepPreviewsService,
    private readonly environments: EnvironmentsService,
  ) {}

  private list(): Tool {
    return tool({
      name: 'list_workflows',
      description: 'Lists workflows with their types of steps and the variables of their payload.',
      scope: 'read',
      resource: 'workflow',
      isReadOnly: true,
      action: 'listWorkflows',
      input: z.strictObject({ query: z.string().optional().describe('part of the name'), page: z.int().default(0) }),
      run: async (caller, query) => {
        const { data, hasMore } = await this.workflows.list(caller, await inputOf(ListWorkflowsDto, 'query', query));
        return { data: { workflows: data.map(summaryOf), hasMore } };
      },
    });
  }

  private get(): Tool {
    return tool({
      name: 'get_workflow',
      description: 'Reads a workflow with its steps, in the form that draft_workflow takes.',
      scope: 'read',
      resource: 'workflow',
      isReadOnly: true,
      action: 'getWorkflow',
      input: z.strictObject({ workflow: z.string().describe('trigger identifier or id') }),
      run: async (caller, { workflow }) => {
        const found = await this.workflows.get(caller, workflow);
        const { steps, preferenceSettings } = found;
        return {
          data: { ...summaryOf(found), preferenceSettings, steps },
          about: { id: found._id, name: found.name },
        };
      },
    });
  }

  private draft(): Tool {
    return tool({
      name: 'draft_workflow',
      description:
        'Makes a workflow that is not active, or changes one that is not active. Of an active one, it makes a copy that is not active. ' +
        'Nothing is live until a person switches it on in the console. ' +
        'A step: {"name","template":{"type":"email","subject","content"}}; types email, in_app, sms, chat, push, delay and digest ' +
        '(with "metadata":{"type":"regular","amount":5,"unit":"minutes"}) and others; templates are Handlebars. See search_manual.',
      scope: 'write',
      resource: 'workflow',
      action: ({ workflow }) => (workflow === undefined ? 'createWorkflow' : 'updateWorkflow'),
      input: z.strictObject({
        workflow: z.string().optional().describe('the one to change; absent: a new one'),
        name: z.string().optional().describe('required for a new one'),
        steps: z.array(z.record(z.string(), z.unknown())),
        note: z.string().optional().describe('what you changed and why'),
      }),
      run: async (caller, draft) => {
        await this.environments.assertWritable(caller.environmentId);
        const saved = await this.save(caller, draft);
        const { _id, name } = saved;
        const data = {
          ...summaryOf(saved),
          steps: saved.steps.map((step) => ({ _id: step._id, name: step.name, type: step.template?.type })),
          next: 'Preview its steps, and ask a person to switch it on in the console.',
        };
        return { data, about: { id: _id, name } };
      },
    });
  }

  /** What is active never changes: not even where a person switches it on between the look and the change. */
  private async save(caller: Caller, { workflow, name, steps, note }: Draft): Promise<WorkflowResponse> {
    const found = workflow === undefined ? undefined : await this.workflows.get(caller, workflow);
    if (found !== undefined && !found.active) {
      const change = await inputOf(UpdateWorkflowDto, 'body', { name, steps, note });
      return this.workflows.update(caller, found._id, change, [found.__v]);
    }
    const dto = await inputOf(CreateWorkflowDto, 'body', {
      name: name ?? (found && `${found.name} (draft)`),
      steps: found === undefined ? steps : steps.map(withoutIds),
      note: note ?? (found && `Draft of a change of ${found.triggers[0]?.identifier ?? found.name}`),
      ...(found && {
        tags: found.tags,
        preferenceSettings: found.preferenceSettings,
        notificationGroupId: found._notificationGroupId,
      }),
      active: false,
    });
    return this.workflows.create(caller, dto);
  }

  private preview(): Tool {
    return tool({
      name: 'preview_step',
      description: 'Renders a step as its recipient would see it, with the faults of its template. Sends nothing.',
      scope: 'read',
      resource: 'workflow',
      isReadOnly: true,
      action: 'previewStep',
      input: z.strictObject({
        workflow: z.string(),
        step: z.string().describe('_id of the step'),
        subscriberId: z.string().optional().describe('default: a sample'),
        payload: z.record(z.string(), z.unknown()).optional(),
        locale: z.string().optional(),
      }),
      run: async (caller, { workflow, step, subscriberId, ...sample }) => {
        const dto = await inputOf(PreviewStepDto, 'body', {
          ...sample,
          ...(subscriberId !== undefined && { subscriber: subscriberId }),
        });
        const data = await this.previews.preview(caller, { workflowId: workflow, stepId: step }, dto);
        return { data, about: { name: workflow } };
      },
    });
  }
}

/** Steps of a copy are not those of the original. */
function withoutIds({ _id: _, id: __, _templateId: ___, ...step }: Readonly<Record<string, unknown>>): object {
  return step;
}

function summaryOf(workflow: WorkflowResponse | WorkflowSummaryResponse) {
  const { _id, name, active, critical, tags, triggers, steps } = workflow;
  return {
    _id,
    identifier: triggers[0]?.identifier,
    name,
    active,
    critical,
    tags,
    variables: triggers[0]?.variables.map((variable) => variable.name),
    types: steps.map(({ template }) => template?.type),
  };
}
