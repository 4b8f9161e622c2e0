import { mongo } from 'mongoose';
import { isObject, type RawObject } from '#libs/validation';
import type { TemplateLanguage } from '#libs/templates';
import { ControlFault, conditionsOf, stepOf } from '../../../../src/v2/workflows/index.js';
import { given, LeftOut, needed, type Row, switchesOf, textOf, variablesOf, withoutIds } from './novu-records.js';

/** What a workflow of Novu is made of, besides its own record. */
export interface Parts {
  /** `messagetemplates` by id. */
  readonly templates: ReadonlyMap<string, Row>;
  /** What the newer editor wrote, by the id of the step or layout. */
  readonly controls: ReadonlyMap<string, RawObject>;
  /** Of everybody, by the id of the workflow; the user's before the code's. */
  readonly preferences: ReadonlyMap<string, RawObject>;
  /** Ids of layouts by environment and identifier. */
  readonly layouts: ReadonlyMap<string, string>;
}

interface ReadWorkflow {
  readonly language: TemplateLanguage;
  readonly fields: Record<string, unknown>;
  /** As a client would send them, with their ids. */
  readonly steps: (RawObject & { readonly _id: string })[];
  readonly changes: string[];
}

/** @throws {LeftOut} */
export function readWorkflow(row: Row, parts: Parts): ReadWorkflow {
  const { type, origin } = row;
  if (type === 'ECHO' || origin === 'external') {
    throw new LeftOut('its steps are code of an application (framework), which Herald does not run');
  }
  const isOfEditor = origin === 'novu-cloud' || type === 'BRIDGE';
  const language = isOfEditor || row['templateLanguage'] === 'liquid' ? 'liquid' : 'handlebars';
  const reading = new StepReading(parts, isOfEditor, row);
  const steps = listOf(row['steps']).map((step, place) => reading.step(step, place));
  const [trigger] = listOf(row['triggers']);
  const identifier = needed(trigger?.['identifier'], 'trigger identifier');
  const preference = isObject(row['preferences']) ? row['preferences'] : parts.preferences.get(row._id.toHexString());
  const isActive = row['active'] === true && reading.changes.length === 0;
  return {
    language,
    fields: {
      name: textOf(row['name']) ?? identifier,
      identifier,
      ...given({
        description: textOf(row['description']),
        severity: textOf(row['severity']),
        data: row['data'] as unknown,
      }),
      active: isActive,
      draft: !isActive,
      critical: row['critical'] === true || isReadOnly(preference),
      tags: (Array.isArray(row['tags']) ? (row['tags'] as unknown[]) : []).map(String),
      preferenceSettings: preference === undefined ? switchesOf(row['preferenceSettings']) : channelsOf(preference),
      ...(language === 'liquid' && { templateLanguage: language }),
    },
    steps,
    changes: [...reading.changes, ...reading.notes],
  };
}

class StepReading {
  /** What makes the workflow another one. */
  readonly changes: string[] = [];
  /** What it lacks otherwise. */
  readonly notes: string[] = [];
  private readonly environment: string;
  private readonly uuids: ReadonlyMap<string, string>;

  constructor(
    private readonly parts: Parts,
    private readonly isOfEditor: boolean,
    row: Row,
  ) {
    this.environment = String(row['_environmentId']);
    this.uuids = new Map(listOf(row['steps']).map(({ stepId, uuid }) => [String(stepId), String(uuid)]));
  }

  step(step: RawObject, place: number): RawObject & { readonly _id: string } {
    const stored = isObject(step['template'])
      ? step['template']
      : this.parts.templates.get(String(step['_templateId']));
    if (stored === undefined) throw new LeftOut(`steps.${place} has no message template`);
    const { uuid, name, stepId, active, shouldStopOnFail, replyCallback, variants } = step;
    const content = this.isOfEditor
      ? this.written(step, stored, place)
      : { template: templateOf(stored), metadata: step['metadata'], filters: withoutIds(step['filters']) };
    return {
      _id: String(step['_id']),
      ...given({ uuid, name, stepId, active, shouldStopOnFail }),
      template: withTranslations(content.template),
      metadata: withoutEmpty(content.metadata),
      filters: content.filters,
      ...(isObject(replyCallback) && {
        replyCallback: given({ active: replyCallback['active'], url: replyCallback['url'] }),
      }),
      variants: listOf(variants).map((variant) => ({ ...this.step(variant, place), variants: undefined })),
    };
  }

  /** By the newer editor: Liquid, in control values. */
  private written(step: RawObject, stored: RawObject, place: number): WrittenStep {
    const values = isObject(step['controls']) ? step['controls'] : (this.parts.controls.get(String(step['_id'])) ?? {});
    try {
      const { template, metadata, dropped } = stepOf(String(stored['type']), values);
      for (const what of dropped) this.notes.push(`steps.${place} has ${what}, which was left out`);
      const { layout: named, ...content } = template;
      const layout = textOf(named);
      const layoutId = layout && this.parts.layouts.get(`${this.environment} ${layout}`);
      if (layout !== undefined && layoutId === undefined)
        this.notes.push(`steps.${place} has the layout '${layout}', which is not taken over`);
      return { template: { ...content, ...given({ layoutId }) }, metadata, filters: this.conditions(values, place) };
    } catch (error) {
      if (!(error instanceof ControlFault)) throw error;
      throw new LeftOut(`steps.${place} ${error.message}`);
    }
  }

  private conditions({ skip }: RawObject, place: number): object[] {
    if (!isObject(skip) || Object.keys(skip).length === 0) return [];
    const uuidOf = (stepId: string): string | undefined => this.uuids.get(stepId);
    const groups = conditionsOf(skip, { uuidOf, stepIdOf: uuidOf });
    if (groups !== undefined) return groups;
    this.changes.push(
      `steps.${place} has a condition (skip) that conditions of Herald cannot say, so it was left out, and the workflow is inactive; set the condition, and activate it`,
    );
    return [];
  }
}

interface WrittenStep {
  readonly template: RawObject;
  readonly metadata: unknown;
  readonly filters: object[];
}

function templateOf(stored: RawObject): RawObject {
  const { type, content, contentType, subject, title, preheader, senderName, cta, actor, name } = stored;
  const own = given({ content, contentType, subject, title, preheader, senderName, cta, actor, name });
  const variables = variablesOf(stored['variables']);
  return {
    ...own,
    type,
    ...(Array.isArray(content) && { content: withoutIds(content) }),
    ...(variables.length > 0 && { variables }),
    ...given({ feedId: idOf(stored['_feedId']), layoutId: idOf(stored['_layoutId']) }),
  };
}

const I18N = /(\{\{\{?~?\s*)i18n(?=\s)/g;

/** Herald's name of the helper is `t`. */
function withTranslations<T>(value: T): T {
  if (typeof value === 'string') return value.replace(I18N, '$1t') as T;
  if (Array.isArray(value)) return value.map((entry: unknown) => withTranslations(entry)) as T;
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withTranslations(entry)])) as T;
}

function idOf(value: unknown): string | undefined {
  return value instanceof mongo.ObjectId ? value.toHexString() : textOf(value);
}

function withoutEmpty(metadata: unknown): RawObject {
  if (!isObject(metadata)) return {};
  const entries = Object.entries(metadata).filter(
    ([key, value]) => key !== '_id' && value !== null && value !== undefined,
  );
  return Object.fromEntries(
    entries.flatMap(([key, value]) => {
      if (key !== 'timed' || !isObject(value)) return [[key, value] as const];
      const timed = Object.fromEntries(
        Object.entries(value).filter(([, one]) => one !== null && !(Array.isArray(one) && one.length === 0)),
      );
      return Object.keys(timed).length === 0 ? [] : [[key, timed] as const];
    }),
  );
}

function listOf(value: unknown): RawObject[] {
  return (Array.isArray(value) ? (value as unknown[]) : []).filter(isObject);
}

function isReadOnly(preference: RawObject | undefined): boolean {
  const all = preference?.['all'] ?? preference?.['workflow'];
  return isObject(all) && all['readOnly'] === true;
}

function channelsOf({ channels }: RawObject): ReturnType<typeof switchesOf> {
  const own = isObject(channels) ? channels : {};
  const flat = Object.entries(own).map(([channel, value]) => [
    channel,
    isObject(value) ? (value['enabled'] ?? value['defaultValue']) : value,
  ]);
  return switchesOf(Object.fromEntries(flat));
}
