import { type Question, labelOf, optionsOf } from '../../engine/questions/index.js';
import { type Page, type PageBranding, type PageLanguage, pageTemplate } from '../preference-pages/index.js';
import { type AnswerTexts, textsIn } from './answer-texts.js';

export interface AnswerPageContext {
  readonly language: PageLanguage;
  readonly branding: PageBranding;
  readonly question: Question;
}

export interface AnswerPage extends Page {
  /** The page in a sentence or two, for programs that show it themselves. */
  readonly said: string;
}

interface AskValues {
  readonly title: string;
  readonly body: string;
  readonly options: readonly { readonly id: string; readonly label: string; readonly isQuiet: boolean }[];
  readonly isNumber: boolean;
  readonly hint: string;
  readonly wrong: string;
  readonly send: string;
  readonly yours: string;
}

const asking = pageTemplate<AskValues>(`<h1>{{title}}</h1>
{{#if body}}<p>{{body}}</p>
{{/if}}{{#if wrong}}<p class="notice" role="alert">{{wrong}}</p>
{{/if}}<form method="post">
{{#each options}}<p><button name="answer" value="{{id}}"{{#if isQuiet}} class="quiet"{{/if}}>{{label}}</button></p>
{{else}}<p><label>{{yours}} {{#if isNumber}}<input name="answer" type="number" step="any" required>{{else}}<input name="answer" maxlength="5000" required>{{/if}}</label></p>
<p><button>{{send}}</button></p>
{{/each}}</form>
<p class="hint">{{hint}}</p>`);

const ended = pageTemplate<{ title: string; lines: readonly string[]; heading: string }>(`<div role="status">
<h1>{{heading}}</h1>
<p>{{title}}</p>
{{#each lines}}<p>{{this}}</p>
{{/each}}</div>`);

/** Changes nothing: whoever sends the form answers. */
export function askPage({ language, branding, question }: AnswerPageContext, isWrong: boolean): AnswerPage {
  const texts = textsIn(language);
  const body = asking({
    title: question.title,
    body: question.body ?? '',
    options: optionsOf(question).map(({ id }, place) => ({
      id,
      label: wordOf(question, id, texts),
      isQuiet: place > 0 && question.kind === 'approve',
    })),
    isNumber: question.kind === 'number',
    hint: texts.once,
    wrong: isWrong ? texts.wrong : '',
    send: texts.send,
    yours: texts.yours,
  });
  const said = isWrong ? texts.wrong : question.title;
  return { status: isWrong ? 400 : 200, language, branding, title: question.title, body, said };
}

/** Says what the person answered, and who decided what. */
export function endPage(
  { language, branding, question }: AnswerPageContext,
  { own, name }: { readonly own?: string | number; readonly name?: string },
): AnswerPage {
  const texts = textsIn(language);
  const { status, outcome } = question;
  const decision = outcome?.value === undefined ? '' : wordOf(question, outcome.value, texts);
  const lines = [
    ...(own === undefined ? [] : [filled(texts.own, { answer: wordOf(question, own, texts) })]),
    ...(status === 'open' ? [texts.waiting] : []),
    ...(status === 'canceled' ? [texts.canceled] : []),
    ...(status === 'undecided' || (status === 'expired' && decision === '') ? [texts.nobody] : []),
    ...(status === 'expired' && decision !== '' ? [filled(texts.fallback, { answer: decision })] : []),
    ...(status === 'answered' ? [filled(texts.decided, { name: name ?? texts.somebody, answer: decision })] : []),
  ];
  const heading = own === undefined ? texts.endedTitle : texts.thanks;
  const body = ended({ title: question.title, lines, heading });
  return { status: 200, language, branding, title: heading, body, said: lines.join(' · ') };
}

/** Options are the words of the team; approving is ours. */
function wordOf(question: Question, value: string | number, texts: AnswerTexts): string {
  const isOwnWord = question.kind === 'approve' && (value === 'approve' || value === 'refuse');
  return isOwnWord ? texts[value] : labelOf(question, value);
}

function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (_match, name: string) => values[name] ?? '');
}
