export { __Name__Response } from './__file__.response.js';
export { __Names__Module } from './__files__.module.js';
export { __Names__Service } from './__files__.service.js';
