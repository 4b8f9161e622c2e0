import { Herald, HeraldApiError, type HeraldOptions, type Schemas } from '@herald/client';

/** A busy machine is slow. */
const TIMEOUT_MS = 240_000;

/** The client of a caller. It does not retry: what a test sees is the response to what it sent. */
export function clientOf(
  { baseUrl, apiKey }: Pick<HeraldOptions, 'baseUrl' | 'apiKey'>,
  options: Partial<HeraldOptions> = {},
): Herald {
  return new Herald({
    baseUrl,
    ...(apiKey && { apiKey }),
    retries: { maxAttempts: 1 },
    timeoutMs: TIMEOUT_MS,
    ...options,
  });
}

/** The error of a call that Herald must refuse. */
export async function refusalOf(call: Promise<unknown>): Promise<HeraldApiError> {
  const error = await call.then(
    (answer) => new Error(`It was not refused: ${JSON.stringify(answer)}`),
    (thrown: unknown) => thrown,
  );
  if (error instanceof HeraldApiError) return error;
  throw error;
}

/** Creates an active workflow in the first notification group. */
export async function createActiveWorkflow(
  herald: Herald,
  name: string,
  steps: Schemas['StepDto'][],
  more: Partial<Schemas['CreateWorkflowDto']> = {},
): Promise<Schemas['WorkflowResponse']> {
  const [group] = await herald.notificationGroups.listNotificationGroups();
  if (group === undefined) throw new Error('The environment has no notification group.');
  return herald.workflows.createWorkflow({
    body: { name, notificationGroupId: group._id, active: true, steps, ...more },
  });
}
