/** Bytes of a provider's answer to UI message chunks, wherever the network cut them. */
import type { UiChunk } from "@galley/parts";
import { createParser } from "eventsource-parser";
import type { Decoding, Protocol, WireEvent } from "./protocol.ts";

export interface StreamReader {
  push(bytes: Uint8Array): readonly UiChunk[];
  /** To be called once, when the bytes are over. */
  end(): readonly UiChunk[];
}

export function readStream(protocol: Pick<Protocol, "decoding">): StreamReader {
  let decoding: Decoding = protocol.decoding;
  let chunks: UiChunk[] = [];
  const text = new TextDecoder();
  const onEvent = (event: WireEvent): void => {
    const [next, made] = decoding.push(event);
    decoding = next;
    chunks.push(...made);
  };
  const parser = createParser({ onEvent });
  const take = (): readonly UiChunk[] => {
    const taken = chunks;
    chunks = [];
    return taken;
  };
  return {
    push(bytes) {
      parser.feed(text.decode(bytes, { stream: true }));
      return take();
    },
    end() {
      // An event without its blank line did not arrive: the decoder then sees an early end.
      parser.feed(text.decode());
      return [...take(), ...decoding.end()];
    },
  };
}
