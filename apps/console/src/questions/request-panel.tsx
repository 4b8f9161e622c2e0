import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { ActionButton } from '../access/action-button.js';
import { refusalOf } from '../access/refusals.js';
import { useSession } from '../session.js';
import { prettyJson } from '../ui/pretty-json.js';
import { Ago } from '../ui/time.js';
import { DecideDialog } from './question-dialogs.js';
import { type Question, type Request, requestWord } from './question-words.js';

interface Props {
  readonly question: Question;
  readonly request: Request;
  readonly onDone: () => void;
}

/** What an agent wants to do, and the buttons of whoever decides. */
export function RequestPanel({ question, request, onDone }: Props): VNode {
  const session = useSession();
  const [deciding, setDeciding] = useState<'approve' | 'refuse'>();
  const { agent, apiKeyId, body, recipients = [] } = request;
  const isOpen = question.status === 'open';
  return (
    <section class="panel request">
      <h2>What the agent wants</h2>
      <p>
        {requestWord(request)}.{' '}
        {refusalOf('listAuditLog', session) === undefined && (
          <Link href={`/audit-log?actorId=${apiKeyId}`}>What {agent} has done</Link>
        )}
      </p>
      <Result question={question} request={request} />
      {isOpen && recipients.length > 0 && (
        <>
          <h3>Recipients</h3>
          <p class="recipients">{recipients.join(', ')}</p>
        </>
      )}
      {isOpen && body && (
        <>
          <h3>Content</h3>
          <pre>{prettyJson(body)}</pre>
        </>
      )}
      {isOpen && session.person === undefined && (
        <p class="note">A person decides about it. Sign in as one, and not with an API key.</p>
      )}
      {isOpen && session.person !== undefined && (
        <div class="button-line below">
          <ActionButton needs="decideQuestion" class="primary" onClick={() => setDeciding('approve')}>
            Let it send…
          </ActionButton>
          <ActionButton needs="decideQuestion" class="danger" onClick={() => setDeciding('refuse')}>
            Refuse…
          </ActionButton>
        </div>
      )}
      {deciding && (
        <DecideDialog
          question={question}
          request={request}
          value={deciding}
          onClose={() => setDeciding(undefined)}
          onDone={onDone}
        />
      )}
    </section>
  );
}

function Result({ question, request: { done, operation, result } }: Omit<Props, 'onDone'>): VNode | null {
  if (question.outcome?.value !== 'approve') return null;
  if (done === undefined) return <p>It is being sent.</p>;
  if (done.error !== undefined) return <div class="notice bad">It was not sent: {done.error}</div>;
  return (
    <p>
      Sent <Ago at={done.at} />.{' '}
      {operation === 'triggerEvent' ? (
        <Link href={`/activity?transaction=${encodeURIComponent(result)}`}>Show deliveries</Link>
      ) : (
        <Link href={`/questions/${result}`}>Show the question</Link>
      )}
    </p>
  );
}
