#!/usr/bin/env node
import { loadApp } from "./load-app.ts";

const { main } = loadApp();
process.exitCode = await main(process.argv.slice(2));
