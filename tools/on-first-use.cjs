// Stands in the bundle for packages that others load at once but seldom call, and whose tables take megabytes (ADR 48).
// The bundler replaces each require() by a function that evaluates the package when it is called.
const SASLPREP = () => require('../node_modules/@mongodb-js/saslprep/dist/node.js');
const TR46 = () => require('../node_modules/tr46/index.js');
const PHONE_NUMBERS = () => require('../node_modules/libphonenumber-js/max/index.cjs');

module.exports = {
  // @mongodb-js/saslprep, for passwords of MONGODB_URI
  saslprep: (...args) => SASLPREP().saslprep(...args),
  // tr46, for international names of hosts
  toASCII: (...args) => TR46().toASCII(...args),
  toUnicode: (...args) => TR46().toUnicode(...args),
  // libphonenumber-js/max, for a validator that Herald does not use
  parsePhoneNumber: (...args) => PHONE_NUMBERS().parsePhoneNumber(...args),
};
