import type { VNode } from 'preact';
import type { DraftStep } from '../drafts/draft.js';
import type { StepType } from '../step-types/step-types.js';
import { FaultsOf } from '../ui/fields.js';
import { SchemaForm } from './schema-form.js';

interface Props {
  readonly type: StepType;
  readonly step: Pick<DraftStep, 'uuid' | 'template' | 'metadata'>;
  readonly onStep: (change: Partial<DraftStep>, about: string) => void;
}

/** What Herald asks for of a type that has no form of its own here. */
export function TypeForm({ type, step, onStep }: Props): VNode {
  const { template, metadata } = step;
  return (
    <>
      <p class="note">{type.description}</p>
      <SchemaForm
        key={`template ${step.uuid}`}
        schema={type.template}
        values={template}
        onValues={(values, about) => onStep({ template: { ...values, type: template.type } }, `template ${about}`)}
      />
      <FaultsOf path="metadata">
        <SchemaForm
          key={`metadata ${step.uuid}`}
          schema={type.metadata}
          values={metadata}
          onValues={(values, about) => onStep({ metadata: values }, `metadata ${about}`)}
        />
      </FaultsOf>
    </>
  );
}
