import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { ROOT } from '../install.mjs';

const FILE = join(ROOT, 'openapi.json');

/** Findings that stay, as `linter rule place`, each with its reason. */
const EXCEPTIONS = {
  // Record ids have 24 hexadecimal digits, so `replays` cannot be one.
  'redocly no-ambiguous-paths #/paths/~1v1~1notifications~1replays~1{replayId}': true,
  // It takes no input and no key, and has no limit of requests.
  'redocly operation-4xx-response #/paths/~1v1~1health-check/get/responses': true,
  // Public, and without input.
  'redocly operation-4xx-response #/paths/~1v1~1users~1session~1options/get/responses': true,
  // No id of a person is `invitations`, which the routers of both platforms prefer.
  'redocly no-ambiguous-paths #/paths/~1v1~1users~1{userId}~1recovery': true,
  'redocly no-ambiguous-paths #/paths/~1v1~1users~1{userId}~1totp': true,
  'redocly no-ambiguous-paths #/paths/~1v1~1users~1{userId}~1sessions': true,
};

// node tools/checks/openapi-lint.mjs  checks openapi.json with the recommended rules of Redocly and of Spectral
const findings = [...(await redocly()), ...(await spectral())];
const unexpected = findings.filter(({ name }) => !Object.hasOwn(EXCEPTIONS, name));
const outdated = Object.keys(EXCEPTIONS).filter((name) => findings.every((finding) => finding.name !== name));
for (const { name, message } of unexpected) console.error(`${name}: ${message}`);
for (const name of outdated) console.error(`This exception is no longer needed: ${name}`);
if (unexpected.length + outdated.length > 0) process.exitCode = 1;
else console.log('openapi-lint: ok');

async function redocly() {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lint({ ref: FILE, config });
  return problems.map(({ ruleId, message, location: [place] }) => {
    return { name: `redocly ${ruleId} ${place?.pointer ?? ''}`, message };
  });
}

async function spectral() {
  const linter = new spectralCore.Spectral();
  linter.setRuleset({ extends: [[spectralRulesets.oas, 'recommended']] });
  const problems = await linter.run(readFileSync(FILE, 'utf8'));
  return problems.map(({ code, message, path }) => ({ name: `spectral ${code} ${path.join('/')}`, message }));
}
