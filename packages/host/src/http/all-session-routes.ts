/** Every route that a host with sessions has beside those of a message alone. */
import { blobRoutes } from "./blob-routes.ts";
import { branchRoutes } from "./branch-routes.ts";
import { chatRoutes } from "./chat-routes.ts";
import { eventRoutes } from "./event-routes.ts";
import { inspectRoutes } from "./inspect-routes.ts";
import { laterRoutes } from "./later-routes.ts";
import { messageRoutes } from "./message-routes.ts";
import { pinRoutes } from "./pin-routes.ts";
import { queueRoutes } from "./queue-routes.ts";
import type { Route } from "./route.ts";
import { runRoutes } from "./run-routes.ts";
import type { SessionDeps } from "./session-deps.ts";
import { sessionRoutes } from "./session-routes.ts";
import { transferRoutes } from "./transfer-routes.ts";

export const allSessionRoutes = (deps: SessionDeps): readonly Route[] => [
  ...sessionRoutes(deps),
  ...messageRoutes(deps),
  ...runRoutes(deps),
  ...queueRoutes(deps),
  ...branchRoutes(deps),
  ...eventRoutes(deps),
  ...inspectRoutes(deps),
  ...pinRoutes(deps),
  ...transferRoutes(deps),
  ...blobRoutes(deps),
  ...chatRoutes(deps),
  ...laterRoutes(),
];
