#!/usr/bin/env node
import { start } from '../../../dist/libs/embedded-mongo/src/main.js';

start();
