export { __Name__Module } from './__file__.module.js';
