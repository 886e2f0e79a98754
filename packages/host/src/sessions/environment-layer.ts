/**
 * What is true around a session and does not change while it lasts. It is written once, with the
 * first turn: a clock or a later model has no place in it.
 */
import type { Layer } from "@galley/assemble";
import { plainName } from "@galley/shape";

export type Environment = {
  /** As Node names it. */
  readonly platform: string;
  readonly workspace: string;
  /** Epoch ms. */
  readonly started_at: number;
  /** `provider/model`. */
  readonly model: string;
};

const PLATFORMS: Readonly<Record<string, string>> = {
  darwin: "macOS",
  linux: "Linux",
  win32: "Windows",
};

export const environmentLayer = (environment: Environment): Layer => ({
  id: "environment",
  text: [
    "Where you work:",
    `- platform: ${PLATFORMS[environment.platform] ?? environment.platform}`,
    `- workspace: ${plainName(environment.workspace)} (paths are given from there)`,
    `- the conversation began on ${new Date(environment.started_at).toISOString().slice(0, 10)} (UTC)`,
    `- the model it began with: ${plainName(environment.model)}`,
  ].join("\n"),
});
