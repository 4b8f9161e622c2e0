import type { VNode } from 'preact';
import type { Schemas } from '../api/client.js';
import { MailFrame } from '../ui/mail-frame.js';
import { Raw } from '../ui/raw.js';
import { Ago, Moment } from '../ui/time.js';
import { excerptOf, textAt } from './excerpt.js';

type Preview = Schemas['StepPreviewResponse'];

interface Props {
  readonly preview: Preview;
  /** The template that was rendered, to show where its faults are. */
  readonly template: object;
}

/** What a step would send, or why it cannot be rendered. */
export function PreviewResult({ preview, template }: Props): VNode {
  const { faults, missing, missingTranslations, removedLinks, until, digest, content } = preview;
  return (
    <>
      {faults.length > 0 && <Faults faults={faults} template={template} />}
      {missing.length > 0 && (
        <p class="notice warn">
          <span>
            The payload lacks values that the templates use. They are rendered empty: <Names names={missing} />
          </span>
        </p>
      )}
      {missingTranslations.length > 0 && (
        <p class="notice warn">
          <span>
            Keys without a translation: <Names names={missingTranslations} />
          </span>
        </p>
      )}
      {removedLinks.length > 0 && (
        <p class="notice warn">
          <span>
            Links that could run code were removed: <Names names={removedLinks} />
          </span>
        </p>
      )}
      {until && (
        <p>
          It would end <Ago at={until} />, on <Moment at={until} />.
        </p>
      )}
      {content !== undefined && <Message message={preview} kind={preview.type} />}
      {digest && (
        <details>
          <summary>
            Preceding digest, with {digest.total_count} {digest.total_count === 1 ? 'event' : 'events'}
          </summary>
          <Raw value={digest.events} label="Digest events" />
        </details>
      )}
    </>
  );
}

function Names({ names }: { names: readonly string[] }): VNode {
  return (
    <>
      {names.map((name, at) => (
        <span key={name}>
          {at > 0 && ', '}
          <code>{name}</code>
        </span>
      ))}
    </>
  );
}

interface MessageParts {
  readonly subject?: string;
  readonly preheader?: string;
  readonly senderName?: string;
  readonly title?: string;
  readonly content?: string;
  readonly text?: string;
  readonly cta?: Schemas['StepCtaDto'];
}

/**
 * A rendered message.
 * @param kind channel: mails and in-app messages are HTML, the others are plain text
 */
export function Message({ message, kind }: { message: MessageParts; kind: string }): VNode {
  const { subject, preheader, senderName, title, content = '', text, cta } = message;
  const heads: [string, string | undefined][] = [
    ['Subject', subject],
    ['Preheader', preheader],
    ['Sender name', senderName],
    ['Title', title],
    ['Link', cta?.data?.url],
    ['Buttons', cta?.action?.buttons?.map((button) => button.content).join(', ')],
  ];
  const known = heads.filter(([, value]) => value);
  const isHtml = kind === 'email' || kind === 'in_app';
  return (
    <div class="rendered">
      {known.length > 0 && (
        <dl class="text-heads">
          {known.map(([name, value]) => (
            <div key={name}>
              <dt class="soft">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {isHtml ? (
        <MailFrame html={content} title={subject ?? 'Message'} />
      ) : (
        <pre class="raw plain-message" tabIndex={0} aria-label="Message text">
          {content}
        </pre>
      )}
      {text !== undefined && (
        <details>
          <summary>Plain text</summary>
          <pre class="raw" tabIndex={0} aria-label="Email plain text">
            {text}
          </pre>
        </details>
      )}
      {isHtml && (
        <details>
          <summary>HTML</summary>
          <pre class="raw" tabIndex={0} aria-label="Message HTML">
            {content}
          </pre>
        </details>
      )}
    </div>
  );
}

function Faults({ faults, template }: { faults: Preview['faults']; template: object }): VNode {
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>The step cannot be rendered</strong>
      </p>
      <ul class="faults">
        {faults.map(({ path, message, line, column }) => {
          const text = path === undefined ? undefined : textAt(template, path);
          return (
            <li key={`${path} ${line} ${column} ${message}`}>
              <p>
                {path !== undefined && <code>{path}</code>}
                {line !== undefined && ` line ${line}`}
                {column !== undefined && `, column ${column}`}
                {path !== undefined && ': '}
                {withoutPlace(message)}
              </p>
              {text !== undefined && line !== undefined && (
                <pre class="excerpt" tabIndex={0} aria-label={`Template near line ${line}`}>
                  {excerptOf(text, line, column).map((row) => (
                    <span key={row.number} class={row.isFault ? 'fault' : undefined}>
                      <span class="excerpt-number">{row.number}</span>
                      {row.text}
                      {'\n'}
                    </span>
                  ))}
                </pre>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** The message of a fault without the place at its end, which is shown before it. */
function withoutPlace(message: string): string {
  return message.replace(/ \(line \d+(?:, column \d+)?\)$/, '');
}
