/**
 * Where a request goes.
 *
 * A base address usually ends in the version (`https://api.openai.com/v1`, also
 * `https://host/api/v1` or `https://host/v1beta/openai`). A bare origin gets `/v1`, which is what
 * people leave out. An address that already names the endpoint is taken as it is: the way out for
 * a server that has another path.
 */
import type { Endpoint, EndpointInput } from "../protocol.ts";

export const OPENAI_BASE_URL = "https://api.openai.com/v1";

const BARE_ORIGIN = /^[a-z]+:\/\/[^/]+$/i;

export function postTo(
  path: "/chat/completions" | "/responses",
  { baseUrl, key }: EndpointInput,
): Endpoint {
  const base = baseUrl.replace(/\/+$/, "");
  const versioned = BARE_ORIGIN.test(base) ? `${base}/v1` : base;
  return {
    method: "POST",
    url: versioned.endsWith(path) ? versioned : `${versioned}${path}`,
    headers: {
      "content-type": "application/json",
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
  };
}
