import { type ComponentChildren, createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { dataOf, type Schemas } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { learnLabels } from './labels.js';

export type StepType = Schemas['StepTypeResponse'];

const Types = createContext<readonly StepType[]>([]);

/** Loads the types of steps once; until then, pages show steps without their words. */
export function StepTypesProvider({ children }: { children: ComponentChildren }): VNode {
  const api = useApi();
  const { data } = useQuery('step types', async (signal) => {
    const types = await dataOf(api.GET('/v1/step-types', { signal }));
    learnLabels(types);
    return types;
  });
  return <Types.Provider value={data ?? []}>{children}</Types.Provider>;
}

/** In the order in which Herald lists them: those that send messages first. */
export function useStepTypes(): readonly StepType[] {
  return useContext(Types);
}

export function useStepType(type: string): StepType | undefined {
  return useStepTypes().find((one) => one.type === type);
}
