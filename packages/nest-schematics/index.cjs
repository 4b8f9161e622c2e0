const { chain, externalSchematic } = require('@angular-devkit/schematics');

const RELATIVE = /(from ')(\.{1,2}\/[^']+?)(?<!\.js)(';)/g;
const PLACEHOLDER = /^( {2}(?:create|findAll|findOne|update|remove)\(.*\)) \{$/gm;
const UNUSED = /^( {2}(?:create\(|update\(id: number, ))(\w+: \w+Dto\))/gm;

/**
 * The generators of Nest, of a version that runs on every Node that Herald runs on, write CommonJS: what they write is made to fit
 * ES modules and the rules of ESLint.
 */
function adapt() {
  return (tree) => {
    for (const { path, kind } of tree.actions) {
      if (kind === 'd' || !path.endsWith('.ts')) continue;
      let text = tree.readText(path).replace(RELATIVE, '$1$2.js$3');
      if (/\.(controller|service)\.ts$/.test(path)) text = text.replace(PLACEHOLDER, '$1: string {');
      if (path.endsWith('.service.ts')) text = text.replace(UNUSED, '$1_$2');
      tree.overwrite(path, text);
    }
  };
}

for (const name of Object.keys(require('./collection.json').schematics)) {
  module.exports[name] = (options) => chain([externalSchematic('@nestjs/schematics', name, options), adapt()]);
}
