import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { workflowNames } from '../activity/workflow-names.js';
import { plainWords } from '../api/plain-words.js';
import { useWorkflows } from '../activity/use-workflows.js';
import { dataOf, type Schemas } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { SelectField, TextField } from '../ui/fields.js';
import { Loaded } from '../ui/states.js';
import { Status, type Tone } from '../ui/status.js';
import { Moment } from '../ui/time.js';

type Why = Schemas['WhyResponse'];

interface Question {
  readonly workflow: string;
  /** Local time of the browser; empty: now. */
  readonly at: string;
}

const VERDICTS: Readonly<Record<Why['verdict'], { readonly tone: Tone; readonly label: string }>> = {
  delivered: { tone: 'good', label: 'Delivered' },
  partly: { tone: 'warn', label: 'Delivered in part' },
  not_delivered: { tone: 'bad', label: 'Not delivered' },
  waiting: { tone: 'busy', label: 'Not finished' },
  not_triggered: { tone: 'idle', label: 'Not triggered' },
};

/** Asks Herald why the subscriber did or did not get the messages of a workflow, and shows the answer in its sentences. */
export function WhyPanel({ subscriberId }: { subscriberId: string }): VNode {
  const workflows = useWorkflows();
  const [question, setQuestion] = useState<Question>({ workflow: '', at: '' });
  const nameOf = workflowNames(workflows);
  const choices = workflows.map((one) => ({ value: one.triggers[0]?.identifier ?? '', label: nameOf(one) }));
  return (
    <section class="panel" aria-labelledby="why">
      <h2 id="why">Why did they get it, or not?</h2>
      <div class="filters">
        <SelectField
          label="Workflow"
          value={question.workflow}
          choices={[{ value: '', label: 'Choose a workflow' }, ...choices]}
          onChange={(workflow) => setQuestion({ ...question, workflow })}
        />
        <TextField
          label="Expected at"
          type="datetime-local"
          value={question.at}
          onChange={(at) => setQuestion({ ...question, at })}
        />
      </div>
      <p class="note">Herald looks at the day before that time; without one, before now.</p>
      {question.workflow !== '' && <Answer subscriberId={subscriberId} question={question} />}
    </section>
  );
}

function Answer({ subscriberId, question }: { subscriberId: string; question: Question }): VNode {
  const api = useApi();
  const { workflow, at } = question;
  const query = useQuery(`why ${subscriberId} ${workflow} ${at}`, (signal) => {
    const when = at === '' ? {} : { at: new Date(at).toISOString() };
    const params = { path: { subscriberId }, query: { workflow, ...when } };
    return dataOf(api.GET('/v1/subscribers/{subscriberId}/why', { params, signal }));
  });
  return (
    <Loaded query={query}>
      {({ verdict, sentence, gates, notifications }) => (
        <div aria-live="polite">
          <p>
            <Status {...VERDICTS[verdict]} /> {plainWords(sentence)}
          </p>
          <ul>
            {gates.map((gate) => (
              <li key={gate.gate}>
                <Status tone={gate.passed ? 'good' : 'bad'} label={plainWords(gate.sentence)} />
              </li>
            ))}
          </ul>
          {notifications.map((notification) => (
            <Run key={notification._id} notification={notification} />
          ))}
        </div>
      )}
    </Loaded>
  );
}

function Run({ notification }: { notification: Why['notifications'][number] }): VNode {
  const { _id, createdAt, verdict, steps } = notification;
  return (
    <div class="below">
      <h3>
        <Link href={`/notifications/${_id}`}>
          <Moment at={createdAt} />
        </Link>{' '}
        <Status {...VERDICTS[verdict]} />
      </h3>
      <ol>
        {steps.map(({ sentence, remedy }, place) => (
          <li key={place}>
            {plainWords(sentence)}
            {remedy !== undefined && <p class="note">{plainWords(remedy)}</p>}
          </li>
        ))}
      </ol>
    </div>
  );
}
