#!/usr/bin/env node
import '../../../dist/libs/embedded-mongo/src/program.js';
