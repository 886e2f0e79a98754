/**
 * What bubblewrap is told: a new root in which only what a command may reach is mounted. Pure.
 *
 * The order matters, because a later mount lies over an earlier one: the system, then the folders
 * that may be read, the workspace, what is hidden in it, and the scratch folder last.
 */
import { dirname } from "node:path";
import { contains } from "../workspace/roots.ts";
import type { HiddenPath, Reach } from "./sandbox.ts";

/** Where the scratch folder is inside, whatever the host calls it. */
export const INNER_SCRATCH = "/scratch";
export const INNER_HOME = "/tmp/home";

/** A folder of the system: itself, or the link that it is on a merged system. */
export type SystemFolder = { readonly path: string; readonly link?: string };

export type Bubble = {
  readonly system: readonly SystemFolder[];
  /** 0.8 and newer can bound a private folder and keep namespaces from being made inside. */
  readonly isRecent: boolean;
};

const TMP_BYTES = 512 * 1024 * 1024;

/** Of the system's settings, what programs need to run at all; no keys and no passwords. */
const SETTINGS = [
  "alternatives",
  "bash.bashrc",
  "bash_completion.d",
  "ca-certificates",
  "crypto-policies",
  "debian_version",
  "fonts",
  "gitconfig",
  "group",
  "host.conf",
  "hosts",
  "inputrc",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "localtime",
  "locale.alias",
  "locale.conf",
  "magic",
  "mime.types",
  "nsswitch.conf",
  "os-release",
  "passwd",
  "perl",
  "pki/ca-trust",
  "pki/tls/certs",
  "profile",
  "protocols",
  "resolv.conf",
  "services",
  "shells",
  "ssl/certs",
  "ssl/openssl.cnf",
  "terminfo",
  "timezone",
];

export function bubbleArgs(bubble: Bubble, reach: Reach): readonly string[] {
  return [
    ...isolation(bubble, reach.network),
    ...systemMounts(bubble),
    ...privateFolder(bubble, "/tmp"),
    "--dir",
    INNER_HOME,
    "--dir",
    "/var/tmp",
    ...reach.readable.flatMap((path) => ["--ro-bind-try", path, path]),
    ...workspaceMounts(reach),
    ...hiddenHome(reach),
    ...hiddenFiles(reach),
    "--bind",
    reach.scratch,
    INNER_SCRATCH,
    "--remount-ro",
    "/",
    "--chdir",
    reach.workspace?.root ?? INNER_SCRATCH,
  ];
}

function isolation({ isRecent }: Bubble, network: boolean): readonly string[] {
  return [
    "--unshare-all",
    ...(network ? ["--share-net"] : []),
    ...(isRecent ? ["--unshare-user", "--disable-userns"] : []),
    // Whoever is root outside would else be root over these mounts, and could take them away.
    "--cap-drop",
    "ALL",
    "--die-with-parent",
    "--new-session",
  ];
}

function systemMounts({ system }: Bubble): readonly string[] {
  return [
    ...system.flatMap(({ path, link }) =>
      link === undefined ? ["--ro-bind", path, path] : ["--symlink", link, path],
    ),
    ...SETTINGS.flatMap((name) => ["--ro-bind-try", `/etc/${name}`, `/etc/${name}`]),
    "--proc",
    "/proc",
    "--dev",
    "/dev",
  ];
}

const privateFolder = ({ isRecent }: Bubble, path: string): readonly string[] => [
  ...(isRecent ? ["--size", String(TMP_BYTES)] : []),
  "--tmpfs",
  path,
];

function workspaceMounts({ workspace, hidden, frozen, own }: Reach): readonly string[] {
  if (workspace === undefined) return [];
  const { root, isWritable } = workspace;
  return [
    isWritable ? "--bind" : "--ro-bind",
    root,
    root,
    ...(isWritable ? held(root, [...hidden, ...ownIn(root, own)], frozen) : []),
    ...hidden.flatMap(({ path, isFolder }) =>
      // Neither can be opened, and nobody takes it for an empty one.
      isFolder ? ["--perms", "0000", "--tmpfs", path] : ["--ro-bind", "/dev/null", path],
    ),
  ];
}

/**
 * What must not be changed, and the folders on the way to it: a folder that is a mount cannot be
 * moved, so nothing gets another name by which no rule knows it.
 */
function held(
  root: string,
  hidden: readonly HiddenPath[],
  frozen: readonly string[],
): readonly string[] {
  const folders = new Set<string>();
  for (const path of [...hidden.map((each) => each.path), ...frozen]) {
    for (let up = dirname(path); up !== root && contains(root, up); up = dirname(up)) {
      folders.add(up);
    }
  }
  return [
    ...[...folders].toSorted().flatMap((path) => ["--bind", path, path]),
    ...frozen.flatMap((path) => ["--ro-bind-try", path, path]),
  ];
}

const ownIn = (root: string, own: readonly string[]): readonly HiddenPath[] =>
  own.filter((path) => contains(root, path)).map((path) => ({ path, isFolder: false }));

/** The host's own files that lie outside its folder, in something that is shown. */
function hiddenFiles({ own, home, hidden, readable, workspace }: Reach): readonly string[] {
  const shown = [...readable, ...(workspace ? [workspace.root] : [])];
  const covered = [home, ...hidden.map(({ path }) => path)];
  return own
    .filter((path) => shown.some((folder) => contains(folder, path)))
    .filter((path) => !covered.some((folder) => contains(folder, path)))
    .flatMap((path) => ["--ro-bind", "/dev/null", path]);
}

/** Where something that may be read holds the host's folder, an empty one lies over it. */
function hiddenHome({ home, readable, workspace }: Reach): readonly string[] {
  const shown = [...readable, ...(workspace ? [workspace.root] : [])];
  return shown.some((folder) => contains(folder, home)) ? ["--perms", "0000", "--tmpfs", home] : [];
}
