import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../build.mjs';
import { checkCycles } from './cycles.mjs';
import { checkEnvelope } from './envelope.mjs';
import { checkLayers } from './layers.mjs';
import { checkLockfile } from './lockfile.mjs';
import { readProject } from './project.mjs';
import { checkSize, measure } from './size.mjs';

const CHECKS = {
  layers: checkLayers,
  cycles: checkCycles,
  size: checkSize,
  envelope: checkEnvelope,
  lockfile: () => checkLockfile(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))),
};

// node tools/checks/run.mjs [layers] [cycles] [size] [envelope] [lockfile]; all of them without a name.
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in CHECKS));
if (unknown.length > 0)
  throw new Error(`No such check: ${unknown.join(', ')}. Known: ${Object.keys(CHECKS).join(', ')}.`);

const files = readProject(ROOT);
for (const name of wanted.length > 0 ? wanted : Object.keys(CHECKS)) {
  const faults = CHECKS[name](files);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
  console.log(`${name}: ${faults.length === 0 ? 'ok' : `${faults.length} faults`}, ${files.length} files`);
  if (name === 'size') describeLongest();
}

function describeLongest() {
  const { file, function: fn } = measure(files);
  console.log(`      longest file ${file.where} (${file.lines}), longest function ${fn.where} (${fn.lines})`);
}
