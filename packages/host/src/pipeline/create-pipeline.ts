/** The port's one implementation: it wires the stages together and owns none of them. */
import type { Draft } from "@galley/compose";
import { idMinter, type UserMessage, type UserPart } from "@galley/parts";
import type { ModelProfile } from "@galley/shape";
import type { MentionRegistry } from "../compositor/compose-host.ts";
import { createCompositor } from "../compositor/compositor.ts";
import { refuseActionsAlone } from "../compositor/compositor-error.ts";
import type { Env, Settings } from "../config/settings.ts";
import {
  type CalibrationFile,
  calibrationPath,
  openCalibrationFile,
} from "../context/calibration-file.ts";
import { createMcpServers, type McpServers } from "../mcp/mcp-servers.ts";
import { proofByAiSdk, sendByAiSdk } from "./ai-sdk.ts";
import { checkMessage } from "./check-message.ts";
import { type ComposeDeps, compose } from "./compose.ts";
import { diagnose } from "./doctor.ts";
import { AI_SDK, allModels, defaultName, nameFor, PROOF_PROVIDERS, profileOf } from "./models.ts";
import type { Pipeline, Proof } from "./pipeline.ts";
import { type CalibrationOf, readyMessage } from "./prepare.ts";
import { proofFor, REHEARSAL_ADDRESS } from "./proof.ts";
import { type Provider, providerOf } from "./providers.ts";
import { OFFLINE_ENV, offlineProvider, type Rehearsing, rehearsing } from "./rehearse.ts";
import { type SendDeps, sendMessage } from "./send.ts";

export type PipelineInput = {
  readonly workspace: string;
  readonly home: string;
  readonly config: Settings;
  readonly env: Env;
  readonly fetch: typeof fetch;
  /** Epoch ms. */
  now(): number;
  random(count: number): Uint8Array;
  /** Told what will be less than was asked for, a line at a time. */
  warn(line: string): void;
  /** Where the person is; the workspace when absent. */
  readonly cwd?: string;
  /** `workspace` where the one who names a file is not the one whose files they are. */
  readonly attachFrom?: ComposeDeps["attachFrom"];
  /** The person's own folder, for their commands and skills; without it there are none. */
  readonly userHome?: string | undefined;
  /** What only the embedder knows: symbols, nodes, kinds of its own. */
  readonly mentions?: MentionRegistry;
  /** The offline model that is shared with others; its owner ends it. */
  readonly offline?: Rehearsing;
  /** The MCP servers that are shared with others; their owner ends them. */
  readonly mcp?: McpServers;
  /** What is known of how providers count, shared with others; read from `home` when absent. */
  readonly calibrations?: Pick<CalibrationFile, "loaded" | "of">;
  /** The database that the doctor looks at; the one in `home` when absent. */
  readonly db?: string | undefined;
};

export function createPipeline(input: PipelineInput): Pipeline {
  const { workspace, config: settings, env } = input;
  const offline = input.offline ?? rehearsing();
  const mint = idMinter(input);
  const mcp = input.mcp ?? createMcpServers({ ...input, settings });
  const compositor = createCompositor({
    workspace,
    mcp,
    userHome: input.userHome,
    mostBytes: settings.limits.message_bytes,
    registry: input.mentions,
    now: () => input.now(),
  });
  const composing: ComposeDeps = {
    workspace,
    cwd: input.cwd ?? workspace,
    attachFrom: input.attachFrom ?? "workspace",
    limits: settings.limits,
    compositor,
    warn: (line) => input.warn(line),
  };
  const calibrationOf = calibrating(input);
  const sending: SendDeps = {
    calibrationOf,
    workspace,
    settings,
    env,
    fetch: input.fetch,
    mintId: () => mint("msg"),
  };

  /** A command that came as a part and has no outcome yet is settled as a typed one would be. */
  async function settled(raw: unknown): Promise<UserMessage> {
    const message = checkMessage(raw);
    const isOpen = ({ type, outcome }: UserPart) => type === "command" && outcome === undefined;
    if (!message.parts.some(isOpen)) return message;
    const { role: _role, ...draft } = message;
    return (await compositor.compose(draft as Draft)).message;
  }

  async function proofs(message: unknown, names: readonly string[]): Promise<readonly Proof[]> {
    // Before the message is read: a name that leads nowhere is cheaper to refuse.
    const profiles = names.map((name) => profileOf(name, settings));
    const ready = await readyMessage(await settled(message), workspace, calibrationOf);
    return Promise.all(
      profiles.map((profile) =>
        profile.provider === AI_SDK
          ? proofByAiSdk(ready, profile, settings, workspace)
          : proofFor(ready, profile, shownProvider(profile)),
      ),
    );
  }

  const shownProvider = ({ provider }: ModelProfile): Provider =>
    provider === "rehearsal"
      ? offlineProvider(REHEARSAL_ADDRESS)
      : providerOf(provider, settings, env);

  function send(message: unknown, profile: ModelProfile, signal?: AbortSignal) {
    if (profile.provider === AI_SDK) return sendByAiSdk(message, profile, sending, signal);
    if (profile.provider !== "rehearsal") {
      const find = () => providerOf(profile.provider, settings, env);
      return sendMessage(message, profile, find, sending, signal);
    }
    // Started only when everything that can be refused without it has been.
    const find = async () => offlineProvider(await offline.url());
    return sendMessage(message, profile, find, { ...sending, env: OFFLINE_ENV }, signal);
  }

  return {
    compose: (asked, act) => compose(asked, composing, act),
    commands: (prefix) => compositor.commands(prefix),
    mentions: (query, limit) => compositor.mentions(query, limit),
    async proof(message, { model = defaultName(settings, env) }) {
      const [proof] = await proofs(message, [model]);
      // One name in, one proof out.
      return proof as Proof;
    },
    proofAll: (message) =>
      proofs(
        message,
        PROOF_PROVIDERS.map((name) => nameFor(name, settings)),
      ),
    async *send(message, { model = defaultName(settings, env), signal }) {
      const whole = await settled(message);
      refuseActionsAlone(whole);
      yield* send(whole, profileOf(model, settings), signal);
    },
    models: () => allModels(settings),
    doctor: () => diagnose(input, mcp),
    async close() {
      compositor.close();
      if (input.mcp === undefined) await mcp.close();
      if (input.offline === undefined) await offline.close();
    },
  };
}

/** Read when the first message is weighed: most of what a pipeline does needs none. */
function calibrating({ calibrations, home, warn }: PipelineInput): CalibrationOf {
  let shared = calibrations;
  return async (model) => {
    const report = (error: unknown): void => warn(String(error));
    shared ??= openCalibrationFile({ path: calibrationPath(home), report });
    await shared.loaded;
    return shared.of(model);
  };
}
