/** A fetch whose answers end with an error once they are longer than any message may be. */

const ANSWER_BYTES = 32 * 1024 * 1024;

export function boundedFetch(
  inner: typeof fetch,
  most: number = ANSWER_BYTES,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const response = await inner(url, init);
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(upTo(most)), { status, statusText, headers });
  };
}

function upTo(most: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > most) controller.error(new Error(`it answered with more than ${most} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
