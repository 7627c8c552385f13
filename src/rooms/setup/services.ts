import type { Doctor } from "./doctor/doctor.ts";
import type { Setup } from "./service/setup.ts";

export type SetupServices = { setup: Setup; doctor: Doctor; version: string };
