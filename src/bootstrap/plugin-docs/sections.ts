import type { OpenAPIObject } from '@nestjs/swagger';
import type { PluginDescription } from '../plugin-host/index.js';
import { html, type Html, joined } from './html.js';
import { inputFields } from './input-fields.js';
import { type Operation, operationsOf } from './operations.js';
import { inputSchema } from '#libs/templates';

type Provider = PluginDescription['providers'][number];
type Step = PluginDescription['steps'][number];

export interface Section {
  readonly id: string;
  readonly level: 2 | 3;
  readonly title: string;
  readonly body: Html;
}

const FEATURES: Readonly<Record<string, string>> = {
  attachments: 'attachments',
  copies: 'cc, bcc, reply-to and headers',
  check: 'a check of credentials',
  callbacks: 'status callbacks',
  idempotency: 'idempotency keys',
  invalidTokens: 'reports of invalid tokens',
  batch: 'several targets in one request',
};

/** The introduction, then everything that the plugin adds. */
export function sectionsOf(plugin: PluginDescription, document: OpenAPIObject): Section[] {
  const id = slug(plugin.name);
  const part = (name: string, title: string, body: Html): Section => ({ id: `${id}-${name}`, level: 3, title, body });
  const operations = operationsOf(document, plugin.routes);
  return [
    { id, level: 2, title: plugin.name, body: html`<p>${aboutOf(plugin)}</p>` },
    ...plugin.providers.map((provider) =>
      part(`provider-${slug(provider.id)}`, `Provider ${provider.displayName}`, providerBody(provider)),
    ),
    ...plugin.steps.map((step) => part(`step-${slug(step.type)}`, `Step type ${step.type}`, stepBody(step))),
    ...(plugin.helpers.length > 0 ? [part('helpers', 'Template helpers', helpersBody(plugin.helpers))] : []),
    ...(plugin.operators.length > 0 ? [part('operators', 'Condition operators', operatorsBody(plugin.operators))] : []),
    ...(operations.length > 0 ? [part('routes', 'Routes', routesBody(operations))] : []),
    ...(plugin.settings.length > 0 ? [part('settings', 'Settings', settingsBody(plugin.settings))] : []),
  ];
}

function aboutOf({ package: found, apiVersion, events }: PluginDescription): string {
  const from = found && `Package ${found.name}${found.version === undefined ? '' : ` ${found.version}`}.`;
  const calls = events.length > 0 && `Called after ${events.join(', ')}.`;
  return [from, `Version ${apiVersion} of the plugin API.`, calls].filter(Boolean).join(' ');
}

function providerBody({ id, channel, credentials, docs, supports }: Provider): Html {
  const features = Object.entries(FEATURES).flatMap(([key, text]) => (Reflect.get(supports, key) ? [text] : []));
  const supported = features.length > 0 ? ` Supports ${features.join(', ')}.` : '';
  const manual =
    docs !== undefined && /^https?:/.test(docs) ? html` <a href="${docs}" rel="noreferrer">${docs}</a>` : '';
  const rows = credentials.map(
    ({ key, type, required, secret, description }) =>
      html`<tr>
        <td><code>${key}</code></td>
        <td>${type}</td>
        <td>${yes(required)}</td>
        <td>${yes(secret)}</td>
        <td>${description}</td>
      </tr>`,
  );
  return html`<p>
      Sends ${channel} messages of integrations with the provider id <code>${id}</code>.${supported}${manual}
    </p>
    ${
      rows.length > 0
        ? table(['Credential', 'Type', 'Required', 'Secret', 'Meaning'], rows)
        : html`<p>No credentials.</p>`
    }`;
}

function stepBody({ type, input }: Step): Html {
  const fields = inputFields(inputSchema(input));
  const rows = fields.map(
    ({ path, type: shown, isRequired, meaning }) =>
      html`<tr>
        <td><code>${path}</code></td>
        <td>${shown}</td>
        <td>${yes(isRequired)}</td>
        <td>${meaning}</td>
      </tr>`,
  );
  const example = `{ "template": { "type": "${type}", "input": { ${fields.length > 0 ? '…' : ''} } } }`;
  return html`<pre tabindex="0"><code>${example}</code></pre>
    ${rows.length > 0 ? table(['Field of input', 'Type', 'Required', 'Meaning'], rows) : ''}
    <p>Texts are templates, and any value can be an expression.</p>`;
}

function helpersBody(helpers: readonly string[]): Html {
  const calls = helpers.map((name) => `{{${name} …}}`);
  return html`<p><a href="/docs/manual/templates">Templates</a> can call ${codesOf(calls)}.</p>`;
}

function operatorsBody(operators: readonly string[]): Html {
  return html`<p><a href="/docs/manual/conditions">Conditions</a> can use ${codesOf(operators)}.</p>`;
}

function routesBody(operations: readonly Operation[]): Html {
  const rows = operations.map(
    ({ method, path, summary, href }) =>
      html`<tr>
        <td>${method}</td>
        <td>
          <a href="${href}"><code>${path}</code></a>
        </td>
        <td>${summary}</td>
      </tr>`,
  );
  return table(['Method', 'Path', 'Meaning'], rows);
}

function settingsBody(settings: readonly string[]): Html {
  return html`<p>The plugin reads the environment variables ${codesOf(settings)}.</p>`;
}

function codesOf(names: readonly string[]): Html {
  return joined(
    names.map((name) => html`<code>${name}</code>`),
    ', ',
  );
}

/** In the markup of the site. */
function table(heads: readonly string[], rows: readonly Html[]): Html {
  const cells = joined(heads.map((head) => html`<th>${head}</th>`));
  return html`<div class="table" tabindex="0" role="region" aria-label="Table">
    <table>
      <thead>
        <tr>
          ${cells}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

const yes = (is: boolean): string => (is ? 'yes' : '');

function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-/, '');
}
