export { SubscribersV2Module } from './subscribers-v2.module.js';
