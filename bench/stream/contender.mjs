/** The two that are measured, each as a process of its own in front of the same provider. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const MODEL = "anthropic/claude-opus-5-5";

/** Starts a script and gives the first address that it prints. */
async function start(args, env = {}) {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout);
  for await (const line of lines) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (url) return { url, pid: child.pid, stop: () => stop(child) };
  }
  throw new Error(`${args[0]} ended before it listened`);
}

async function stop(child) {
  if (child.exitCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

export const startProvider = () => start([here("provider.mjs")]);

/** @param {string} provider */
export async function startRelay(provider) {
  const relay = await start([here("relay.mjs"), provider]);
  const body = (text) => JSON.stringify({ messages: [{ role: "user", content: text }] });
  return {
    ...relay,
    name: "bare relay",
    ask: () => (text) => ({ url: relay.url, headers: {}, body: body(text) }),
  };
}

/** @param {string} provider */
export async function startGalley(provider) {
  const home = mkdtempSync(join(tmpdir(), "galley-bench-"));
  const token = "bench-token-0123456789";
  const env = {
    HOME: home,
    GALLEY_HOME: home,
    GALLEY_TOKEN: token,
    ANTHROPIC_BASE_URL: provider,
    ANTHROPIC_API_KEY: "bench",
  };
  const script = here("../../packages/host/bin/galley.mjs");
  const words = ["serve", "--port", "0", "--model", MODEL, "--workspace", home];
  const host = await start([script, ...words], env);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return {
    ...host,
    name: "galley",
    headers,
    /** One conversation of its own; each ask is a turn of it. */
    ask: () => {
      const id = randomUUID();
      return (text) => ({
        url: `${host.url}/v1/chat`,
        headers,
        body: JSON.stringify({
          id,
          trigger: "submit-message",
          messages: [{ id: randomUUID(), role: "user", parts: [{ type: "text", text }] }],
        }),
      });
    },
    async stop() {
      await host.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Resident memory in MB, as the kernel counts it. @param {number} pid */
export function residentMb(pid) {
  const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kb) / 1024;
}
