/**
 * What walking an archive deals in: entries, the bytes of those that somebody takes, and limits.
 *
 * What counts against a limit is what really comes out of the compression, never what a header
 * claims.
 */

export type ArchiveEntry = {
  /** As the archive spells it: not a path to be trusted. */
  readonly name: string;
  readonly kind: "file" | "directory" | "link" | "other";
  /** Bytes, as the archive claims. */
  readonly size: number;
  /** Why it is never taken out. */
  readonly refused?: string;
};

export type ArchiveLimits = {
  readonly entries: number;
  /** Of everything that is decompressed, whether somebody takes it or not. */
  readonly bytes: number;
};

/** Where the bytes of one entry go. */
export interface Sink {
  write(chunk: Uint8Array): Promise<void>;
  /** With the reason when the entry did not come to its end. */
  end(broken?: string): Promise<void>;
}

/** Undefined: nobody wants its bytes. */
export type Visit = (entry: ArchiveEntry) => Promise<Sink | undefined>;

export type Walked = {
  readonly format: "zip" | "tar" | "tar.gz" | "gzip";
  readonly entries: number;
  /** Bytes that came out of the archive. */
  readonly bytes: number;
  /** Why the walk ended before the archive did. */
  readonly stopped?: string;
};

export const ARCHIVE_LIMITS: ArchiveLimits = { entries: 10_000, bytes: 256 * 1024 * 1024 };

export const overBytes = (limits: ArchiveLimits): string =>
  `it unpacks to more than ${limits.bytes} bytes`;
export const overEntries = (limits: ArchiveLimits): string =>
  `it has more than ${limits.entries} entries`;
