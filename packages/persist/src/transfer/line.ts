/**
 * One line of an export: a row and what it is.
 *
 * JSON columns stay strings inside a row. `trace` lines are what a turn leaves behind: `lowering`,
 * `request` and `system-prompt`. The first line counts all lines, so that a cut file shows.
 */
import type { PartRow, SessionRow } from "@galley/parts";
import type { StoredMessage } from "../port/messages.ts";
import type { LoweringRow, ManifestRow, RequestRow, SharedText } from "../port/records.ts";

export type TraceRow =
  | ({ readonly kind: "lowering" } & LoweringRow)
  | ({ readonly kind: "request"; readonly body: string | null } & RequestRow)
  | ({ readonly kind: "system-prompt" } & Pick<SharedText, "digest" | "body"> & {
        readonly text_kind: SharedText["kind"];
      });

/** `data` in base64; null where the bytes are not here. */
export type BlobRow = { readonly content_id: string; readonly data: string | null };

export type Line =
  | { readonly type: "session"; readonly data: SessionRow; readonly lines: number }
  | { readonly type: "message"; readonly data: StoredMessage }
  | { readonly type: "part"; readonly data: PartRow }
  | { readonly type: "manifest"; readonly data: ManifestRow }
  | { readonly type: "trace"; readonly data: TraceRow }
  | { readonly type: "blob"; readonly data: BlobRow };

/** Metadata keys of a message that name a shared text. */
export const DIGEST_KEYS = ["system_prompt_digest", "tool_catalog_digest", "permission_digest"];
