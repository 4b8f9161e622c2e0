import type { INestApplication } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { DOCS_PATH, platformOf, publicPathOf } from '#libs/http-kit';

function linksFrom(publicPath: string, hasManual: boolean) {
  return {
    name: 'Herald',
    documentation: `${publicPath}/api`,
    openApi: `${publicPath}/openapi.json`,
    health: `${publicPath}/v1/health-check`,
    ...(hasManual && { manual: publicPath + DOCS_PATH }),
  };
}

/** The printed address: browsers are redirected to Swagger UI, other clients get links. */
export function serveFrontDoor(app: INestApplication): void {
  const config = app.get(AppConfig);
  const publicPath = publicPathOf(config.get('PUBLIC_URL'));
  const links = linksFrom(publicPath, config.get('DOCS_ENABLED') === 'on');
  platformOf(app).get('/', ({ headers }, reply) => {
    const vary = reply.getHeader('vary');
    reply.header('vary', vary === undefined ? 'Accept' : `${String(vary)}, Accept`);
    if (!prefersHtml(headers.accept)) return reply.send(links);
    return reply.status(302).header('location', links.documentation).send();
  });
}

interface Preference {
  readonly quality: number;
  readonly specificity: number;
  readonly position: number;
}

/** By the Accept header; JSON without a preference. */
function prefersHtml(accept = '*/*'): boolean {
  const [html, json] = [preferenceFor('html', accept), preferenceFor('json', accept)];
  if (html === undefined || json === undefined) return html !== undefined;
  return (html.quality - json.quality || html.specificity - json.specificity || json.position - html.position) > 0;
}

function preferenceFor(type: 'html' | 'json', accept: string): Preference | undefined {
  const ranges = type === 'html' ? ['*/*', 'text/*', 'text/html'] : ['*/*', 'application/*', 'application/json'];
  const found = accept.split(',').flatMap((entry, position) => {
    const [range = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    return ranges.includes(range) ? [{ quality: Number(weight), specificity: ranges.indexOf(range), position }] : [];
  });
  const [best] = found.sort((one, other) => other.specificity - one.specificity);
  return best !== undefined && best.quality > 0 ? best : undefined;
}
