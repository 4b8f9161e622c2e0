/** Packages that are ES modules only: Jest runs CommonJS, so they are compiled like Herald's own files. */
const ES_MODULES = [
  '@borewit',
  '@formatjs',
  '@herald',
  '@jsep-plugin',
  '@nestjs',
  'change-case',
  'dom-serializer',
  'domelementtype',
  'domhandler',
  'domutils',
  'entities',
  'file-type',
  'htmlparser2',
  'intl-messageformat',
  'jose',
  'nanoid',
  'oauth4webapi',
  'oidc-provider',
  'openid-client',
  'postal-mime',
  'strtok3',
  'token-types',
  'uint8array-extras',
];

/** What all projects share. The options of the compiler are in .swcrc. */
export const base = {
  transform: { '\\.(ts|m?js)$': '@swc/jest' },
  transformIgnorePatterns: [`/node_modules/(?!(${ES_MODULES.join('|')})/)`],
  // The files of Herald import each other by the names that they have when they are compiled.
  moduleNameMapper: { '^(\\.{1,2}/.+)\\.js$': ['$1.ts', '$1.js'] },
  setupFiles: ['reflect-metadata'],
  modulePathIgnorePatterns: ['/dist/', '/.data/'],
};
