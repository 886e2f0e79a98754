/**
 * The port through which a command line is run with bounds on what it reaches and what it takes.
 * What stands behind it differs by system; what a command may see is decided by whoever calls.
 */

/** What a command can get at; everything else is not there for it. All paths are absolute. */
export type Reach = {
  /** Folders beside the system's own that it may read. */
  readonly readable: readonly string[];
  /** The folder it works on; undefined when there is none. */
  readonly workspace: { readonly root: string; readonly isWritable: boolean } | undefined;
  /** Its own folder, which it may write. */
  readonly scratch: string;
  /** Inside the workspace, and not to be read. */
  readonly hidden: readonly HiddenPath[];
  /** Inside the workspace, and not to be changed even where the rest may be. */
  readonly frozen: readonly string[];
  /** The host's own folder: never seen, but for the scratch folder. */
  readonly home: string;
  /** Files of the host's own, wherever they lie: never seen. They are there. */
  readonly own: readonly string[];
  readonly network: boolean;
};

export type HiddenPath = { readonly path: string; readonly isFolder: boolean };

export type SandboxCommand = {
  readonly command: string;
  readonly reach: Reach;
  /** All of its environment, but for what a sandbox has to set itself. */
  readonly env: Readonly<Record<string, string>>;
};

export type RunLimits = {
  readonly timeMs: number;
  /** Standard output and errors together. */
  readonly outputBytes: number;
  /** Of all its processes together, as often as they are looked at, and of each at any time. */
  readonly memoryMb: number;
  readonly processes: number;
};

export type Watcher = {
  readonly signal: AbortSignal;
  /** Output as it comes, standard output and errors in their order. */
  onOutput(chunk: Uint8Array): void;
  /** Asked now and then while it runs; a reason ends it. */
  problem?(): Promise<string | undefined>;
};

export type RunEnd =
  | { readonly kind: "exit"; readonly code: number }
  /** Ended from outside, by somebody else. */
  | { readonly kind: "killed"; readonly signal: string }
  /** Ended by us: a limit, in words that follow "it". */
  | { readonly kind: "limit"; readonly reason: string }
  | { readonly kind: "stopped" }
  /** It never began. */
  | { readonly kind: "failed"; readonly reason: string };

export interface Sandbox {
  readonly name: string;
  /** Whether it holds a command to its reach; false for a shell that is only watched. */
  readonly isContained: boolean;
  /** Where a command finds its scratch folder. */
  scratchAt(folder: string): string;
  /** Never throws, and leaves no process behind where it is contained. */
  run(command: SandboxCommand, limits: RunLimits, watcher: Watcher): Promise<RunEnd>;
}
