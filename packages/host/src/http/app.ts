/** The application: who may come in, the routes behind the door, and how every failure leaves. */
import { isGalleyError } from "@galley/parts";
import { Hono } from "hono";
import { METHODS } from "hono/router";
import { checkHost, checkOrigin, checkToken, doorOf } from "./gate.ts";
import { HttpError, problemResponse } from "./problem.ts";
import type { Env } from "./route.ts";
import { type RouteDeps, routesOf } from "./routes.ts";

export type AppDeps = RouteDeps & {
  readonly host: string;
  readonly token: string;
  /** Hears which route an answer belongs to. */
  readonly onRoute?: (outgoing: Env["Bindings"]["outgoing"], path: string) => void;
};

export function createApp(deps: AppDeps): Hono<Env> {
  const app = new Hono<Env>();
  app.use("*", async (c, next) => {
    const door = doorOf(c.env.incoming, deps.host);
    checkHost(c.req.header("host"), door);
    // A target in absolute form names the host that is meant, whatever the header says.
    const [, authority] = /^[a-z]+:\/\/([^/?#]*)/i.exec(c.env.incoming.url ?? "") ?? [];
    if (authority !== undefined) checkHost(authority, door);
    checkOrigin(c.req.header("origin"), door);
    await next();
  });
  app.use("/v1/*", async (c, next) => {
    checkToken(c.req.header("authorization"), deps.token);
    // What is asked for on a connection that stayed open would be taken and never finished.
    if (deps.isClosing() && c.req.method !== "GET") throw HttpError.make("closing", {});
    await next();
  });
  for (const route of routesOf(deps)) {
    app.on(route.method, route.path, (c) => {
      deps.onRoute?.(c.env.outgoing, route.path);
      return route.handle(c);
    });
  }
  app.notFound((c) => problemResponse(nothingHere(app, c.req.method, c.req.path)));
  app.onError((error) => {
    if (!isGalleyError(error)) deps.report(error);
    return problemResponse(error);
  });
  return app;
}

/** A path that another method would have found is told apart from one that nobody knows. */
function nothingHere(app: Hono<Env>, method: string, path: string) {
  const found = METHODS.map((each) => each.toUpperCase()).filter((each) =>
    app.router.match(each, path)[0].some(([[, route]]) => route.method === each),
  );
  const allow = found.flatMap((each) => (each === "GET" ? ["GET", "HEAD"] : [each]));
  return allow.length > 0
    ? HttpError.make("wrong_method", { method, path, allow })
    : HttpError.make("not_found", { path });
}
