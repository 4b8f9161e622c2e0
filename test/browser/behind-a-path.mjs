import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBrowser, watch } from './chromium.mjs';
import { find, onPage, openConsole, signIn } from './console/page.mjs';
import { readTheDocs } from './docs.mjs';
import { useThePage } from './swagger.mjs';

/** nginx with TLS before a Herald. @param behind.stripsPath whether requests reach Herald without the path */
export async function startNginx(nginx, { port, path, herald, stripsPath }) {
  const folder = mkdtempSync(join(tmpdir(), 'herald-nginx-'));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject];
  execFileSync('openssl', [...request, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  const config = join(folder, 'nginx.conf');
  const upstream = `http://127.0.0.1:${new URL(herald).port}${stripsPath ? '/' : ''}`;
  writeFileSync(
    config,
    `daemon off; pid ${folder}/pid; error_log stderr; events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${certificate};
    ssl_certificate_key ${key};
    location ${path}/ {
      proxy_pass ${upstream};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection "upgrade";
    }
  }
}
`,
  );
  const child = spawn(nginx, ['-e', 'stderr', '-c', config], { stdio: ['ignore', 'inherit', 'inherit'] });
  await answers(`https://127.0.0.1:${port}${path}/v1/health-check`);
  return {
    stop: async () => {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(url) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const status = await new Promise((resolve) => {
      get(url, { rejectUnauthorized: false }, (response) => resolve(response.resume().statusCode)).on('error', resolve);
    });
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nginx does not serve ${url}`);
}

/** Everything that a browser loads, below the path: the console with its pages, mails and calls, the documentation, and Swagger UI. */
export async function useEverything({ url, apiKey, client, browser, screenshot }) {
  const { context, close } = await openBrowser(browser, { width: 1280, height: 900 });
  const elsewhere = [];
  let complaints;
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    complaints = watch(page);
    page.on('request', (request) => {
      if (!request.url().startsWith(`${url}/`) && !request.url().startsWith('data:')) elsewhere.push(request.url());
    });
    await deliverMail(client);
    await openConsole(page, { url });
    await signIn(page, apiKey);
    await find(page, 'behind-a-path');
    const address = page.url();
    assert.match(address, new RegExp(`^${url}/console/`));
    await page.reload();
    await signIn(page, apiKey);
    assert.equal(page.url(), address);
    await page.locator('.step-list').waitFor();
    await onPage(page, 'Workflows');
    await onPage(page, 'Layouts');
    await page.getByRole('link', { name: 'Framed' }).click();
    await page.frameLocator('iframe.mail-frame').frameLocator('iframe').getByText('Framed by Herald').waitFor();
    if (screenshot !== undefined) await page.screenshot({ path: screenshot.replace(/(\.\w+)$/, `-path$1`) });
  } finally {
    await close();
  }
  assert.deepEqual({ complaints, elsewhere }, { complaints: [], elsewhere: [] });
  await readTheDocs({ url, browser, screenshot });
  const swagger = await useThePage({ url, apiKey, browser, screenshot });
  assert.deepEqual([swagger.subscriber.status, swagger.complaints], [201, []]);
}

async function deliverMail(client) {
  const [group] = await client.notificationGroups.listNotificationGroups();
  await client.layouts.createLayout({ body: { name: 'Framed', content: '<p>Framed by Herald</p>{{{body}}}' } });
  await client.workflows.createWorkflow({
    body: {
      name: 'Behind a path',
      notificationGroupId: group._id,
      active: true,
      steps: [{ template: { type: 'in_app', content: 'Hello' } }],
    },
  });
  const body = { name: 'behind-a-path', to: 'ada', payload: {}, transactionId: 'behind-a-path' };
  await client.events.triggerEvent({ body });
}
