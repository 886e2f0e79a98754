/** A body held against the offline model's rules, with the headers that would go with it. */
import { routeOf, validate } from "@galley/rehearsal";
import type { Provider } from "./providers.ts";

/** Status and reason of the refusal; undefined when the body is taken. */
export function refusalBy(
  provider: Provider,
  body: Uint8Array,
  stream: boolean,
): string | undefined {
  const { protocol, profile } = provider;
  const { headers, url } = protocol.endpoint({
    profile,
    baseUrl: "http://127.0.0.1",
    key: "k",
    stream,
  });
  const checked = validate(protocol.id, headers, body, {
    target: routeOf(url)?.target ?? {},
    // The signatures of the cases are made up.
    verifySeals: false,
  });
  return checked.ok ? undefined : `${checked.status} ${JSON.stringify(checked.error)}`;
}
