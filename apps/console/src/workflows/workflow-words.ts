import { typeLabel } from '../activity/words.js';
import type { Schemas } from '../api/client.js';

export type Workflow = Schemas['WorkflowResponse'];
export type Step = Schemas['StepResponse'];
export type Channel = Schemas['IntegrationResponse']['channel'];

const CHANNELS: readonly string[] = ['in_app', 'email', 'sms', 'chat', 'push'] satisfies Channel[];

/** Whether a step sends a message, and can be previewed with content and sent as a test. */
export function isChannel(type: string): type is Channel {
  return CHANNELS.includes(type);
}

/** The channels of active steps that have nothing to send with. In-app messages need no integration. */
export function channelsWithoutIntegration({
  steps,
  workflowIntegrationStatus,
}: Pick<Schemas['WorkflowSummaryResponse'], 'steps' | 'workflowIntegrationStatus'>): Channel[] {
  const used = steps.filter(({ active }) => active).map(({ template }) => template.type);
  return [...new Set(used.filter(isChannel))].filter(
    (channel) => channel !== 'in_app' && !workflowIntegrationStatus.channels[channel].hasActiveIntegrations,
  );
}

/** Names a step in a sentence: `step 2 (Email “Receipt”)`. */
export function stepTitle(steps: readonly Pick<Step, 'uuid' | 'name' | 'template'>[], uuid: string): string {
  const at = steps.findIndex((step) => step.uuid === uuid);
  const step = steps[at];
  if (step === undefined) return 'a deleted step';
  return `step ${at + 1} (${typeLabel(step.template.type)}${step.name ? ` “${step.name}”` : ''})`;
}

/** The texts of a template, by their names: those that a reader recognizes it by. */
export function textsOf({ subject, title, preheader, senderName, content }: Step['template']): [string, string][] {
  const blocks = Array.isArray(content) ? content.flatMap(wordsOf).join('\n\n') : content;
  const all: [string, string | undefined][] = [
    ['Subject', subject],
    ['Preheader', preheader],
    ['Sender name', senderName],
    ['Title', title],
    ['Content', blocks],
  ];
  return all.filter((text): text is [string, string] => Boolean(text[1]));
}

type Block = Schemas['EmailBlockDto'];

/** Of a block, and of those in its columns. */
function wordsOf(block: Block): string[] {
  const links = (block.links ?? []).map(({ text, url }) => `${text} ${url}`);
  const own = [block.content, block.price, block.url, ...links].filter(Boolean).join(' ');
  return [own, ...(block.columns ?? []).flatMap(({ blocks }) => blocks.flatMap(wordsOf))].filter(Boolean);
}

/** What a step of a plugin, or one that sends a request, needs as its workflow has it: by the names of the fields. */
export function inputOf(template: Step['template']): [string, string][] {
  const input = template.type === 'http_request' ? requestOf(template) : (template as { input?: unknown }).input;
  if (typeof input !== 'object' || input === null) return [];
  return Object.entries(input).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
}

const OF_REQUEST = ['method', 'url', 'headers', 'body', 'responseBodySchema', 'continueOnFailure'];

function requestOf(template: object): object {
  return Object.fromEntries(Object.entries(template).filter(([name, value]) => OF_REQUEST.includes(name) && value));
}
