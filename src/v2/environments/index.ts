export { EnvironmentsV2Module } from './environments-v2.module.js';
