#!/usr/bin/env node
"use strict";
require("../dist/launcher.cjs").launch("forge");
