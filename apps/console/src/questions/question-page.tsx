import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useParams } from 'wouter-preact';
import { ActionButton } from '../access/action-button.js';
import { dataOf } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { HistoryLink } from '../ui/history-link.js';
import { Page } from '../ui/page.js';
import { Loaded } from '../ui/states.js';
import { Status } from '../ui/status.js';
import { type Column, Table } from '../ui/table.js';
import { Ago, Moment } from '../ui/time.js';
import { CancelDialog } from './question-dialogs.js';
import {
  type Answer,
  deciderWord,
  kindWord,
  type Question,
  quorumWord,
  statusWord,
  valueWord,
  wayWord,
} from './question-words.js';
import { RequestPanel } from './request-panel.js';

const REFRESH_MS = 5_000;

/** One question: who was asked, who answered what and when, and what came of it. */
export function QuestionPage(): VNode {
  const api = useApi();
  const { questionId = '' } = useParams<{ questionId: string }>();
  const [isCanceling, setCanceling] = useState(false);
  const query = useQuery(
    `question ${questionId}`,
    (signal) => dataOf(api.GET('/v1/questions/{questionId}', { params: { path: { questionId } }, signal })),
    REFRESH_MS,
  );
  const question = query.data;
  return (
    <Page
      title={question?.title ?? 'Question'}
      above={<Link href="/questions">← Questions</Link>}
      actions={
        question && (
          <>
            <HistoryLink type="question" id={question._id} />
            {question.status === 'open' && (
              <ActionButton needs="cancelQuestion" class="danger" onClick={() => setCanceling(true)}>
                Cancel…
              </ActionButton>
            )}
          </>
        )
      }
    >
      <Loaded query={query}>
        {(found) => (
          <>
            <Facts question={found} />
            {found.request && <RequestPanel question={found} request={found.request} onDone={query.reload} />}
            <Answers question={found} />
            <Messages question={found} />
          </>
        )}
      </Loaded>
      {question && isCanceling && (
        <CancelDialog question={question} onClose={() => setCanceling(false)} onDone={query.reload} />
      )}
    </Page>
  );
}

function Facts({ question }: { question: Question }): VNode {
  const { body, status, outcome, expiresAt, remindAt, createdAt, default: fallback, request } = question;
  const facts: readonly (readonly [string, VNode | string | undefined])[] = [
    ['Status', <Status {...statusWord(question)} />],
    ['Outcome', outcome?.value === undefined ? undefined : valueWord(question, outcome.value)],
    ['Decided by', outcome && deciderWord(outcome)],
    ['Decided', outcome && <Moment at={outcome.at} />],
    ['Asked for', kindWord(question)],
    ['Decides', request === undefined ? quorumWord(question) : 'The first answer, or a person of the console'],
    ['Asked', <Moment at={createdAt} />],
    ['Reminder', remindAt && <Moment at={remindAt} />],
    [status === 'open' ? 'Ends' : 'Would have ended', <Moment at={expiresAt} />],
    ['If nobody decides', fallback === undefined ? undefined : valueWord(question, fallback)],
  ];
  return (
    <section class="panel">
      {body !== undefined && request === undefined && <p class="question-body">{body}</p>}
      <dl class="facts">
        {facts.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}

/** Who is asked, with the answer where there is one; also the answers of people who were deleted. */
function Answers({ question }: { question: Question }): VNode | null {
  const { people, answers } = question;
  const silent = people.filter(({ subscriberId }) => !answers.some((answer) => answer.subscriberId === subscriberId));
  const rows: readonly PersonRow[] = [
    ...answers.map((answer) => ({ subscriberId: answer.subscriberId, answer, question })),
    ...silent.map(({ subscriberId, wave }) => ({ subscriberId, wave, question })),
  ];
  if (rows.length === 0) return null;
  return (
    <section class="panel">
      <h2>Who is asked</h2>
      <Table
        caption="Who is asked, and what they answered"
        columns={PEOPLE}
        rows={rows}
        keyOf={({ subscriberId, answer }) => subscriberId ?? answer?.signature ?? ''}
      />
    </section>
  );
}

interface PersonRow {
  readonly subscriberId?: string | undefined;
  readonly answer?: Answer;
  readonly wave?: number;
  readonly question: Question;
}

const PEOPLE: readonly Column<PersonRow>[] = [
  {
    label: 'Subscriber',
    kind: 'main',
    cell: ({ subscriberId }) =>
      subscriberId === undefined ? (
        <span class="soft">deleted</span>
      ) : (
        <Link href={`/subscribers/${encodeURIComponent(subscriberId)}`}>{subscriberId}</Link>
      ),
  },
  {
    label: 'Answer',
    kind: 'wide',
    cell: ({ answer, question, wave }) =>
      answer ? valueWord(question, answer.value) : <span class="soft">{silenceWord(question, wave ?? 0)}</span>,
  },
  { label: 'How', cell: ({ answer }) => answer && wayWord(answer) },
  { label: 'When', kind: 'narrow', cell: ({ answer }) => answer && <Moment at={answer.at} isShort /> },
  {
    label: 'Signature',
    kind: 'narrow',
    cell: ({ answer }) =>
      answer && (
        <Status
          {...(answer.isAuthentic
            ? { tone: 'good' as const, label: 'Valid' }
            : { tone: 'bad' as const, label: 'Not valid' })}
        />
      ),
  },
];

function silenceWord({ asked, status }: Question, wave: number): string {
  if (wave < asked.length) return 'No answer';
  return status === 'open' ? 'Not asked yet' : 'Was not asked';
}

function Messages({ question: { asked, reminded, workflow } }: { question: Question }): VNode | null {
  const sent = [
    ...asked.map((wave) => ({ ...wave, name: 'Asked' })),
    ...(reminded ? [{ ...reminded, name: 'Reminded' }] : []),
  ];
  const told = sent.filter(({ status }) => status !== 'nobody');
  if (told.length === 0) return null;
  return (
    <section class="panel">
      <h2>Messages</h2>
      <ul class="sent-list">
        {told.map(({ at, name, transactionId, status, error }) => (
          <li key={at + name}>
            {name} <Ago at={at} /> with <code>{workflow}</code>
            {status !== 'processed' && <span class="bad-text">: {error ?? status}</span>}{' '}
            {status === 'processed' && transactionId !== undefined && (
              <Link href={`/activity?transaction=${encodeURIComponent(transactionId)}`}>Show deliveries</Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
