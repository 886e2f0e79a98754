import assert from "node:assert/strict";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { tempFolder } from "../testing/temp-folder.ts";
import { NO_BASH_SETTINGS } from "../tools/bash-settings.ts";
import { search } from "./find-sandbox.ts";
import { plainShell } from "./plain-shell.ts";
import { sandboxFindings } from "./sandbox-findings.ts";

test("a system without bubblewrap is told what to install", async () => {
  assert.deepEqual(await search("linux", ["/nonexistent/bwrap"]), {
    ok: false,
    reason: "bubblewrap is not installed",
    mend: "install bubblewrap (Debian: apt install bubblewrap)",
  });
  assert.equal((await search("darwin", ["/bin/sh"])).ok, false);
});

test("a bubblewrap that may not work is no sandbox", async (t) => {
  const folder = await tempFolder(t, {
    bwrap:
      '#!/bin/sh\ntest "$1" = --version && echo bubblewrap 0.9.0 && exit\necho "bwrap: No permissions" >&2\nexit 1\n',
  });
  const file = join(folder, "bwrap");
  await chmod(file, 0o755);
  assert.deepEqual(await search("linux", [file]), {
    ok: false,
    reason: "bubblewrap 0.9.0 does not work here: bwrap: No permissions",
    mend: "allow unprivileged user namespaces, also in a container",
  });
});

const SETTINGS = {
  rules: [],
  restraints: [],
  bash: NO_BASH_SETTINGS,
  search: undefined,
  notes: [],
};

test("the doctor says which sandbox there is, and what to do when there is none", () => {
  const [ok] = sandboxFindings(
    { ok: true, sandbox: { ...plainShell, name: "bubblewrap 0.9.0" } },
    SETTINGS,
  );
  assert.deepEqual(ok, {
    name: "sandbox",
    status: "ok",
    says: "commands run in bubblewrap 0.9.0, without the network",
  });
  const [none] = sandboxFindings({ ok: false, reason: "not installed", mend: "do" }, SETTINGS);
  assert.deepEqual(none, {
    name: "sandbox",
    status: "warning",
    says: "none (not installed): every command is asked about",
    mend: "do",
  });
});
