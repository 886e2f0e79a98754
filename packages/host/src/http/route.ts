/**
 * A route as a value: what it takes, what it answers with and what it does. The router and the
 * published description are both made from the list of these, so that they cannot differ.
 */
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { z } from "zod";

export type Env = { Bindings: HttpBindings };

export type Route = {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** In the router's spelling: `/page/:file`. */
  readonly path: string;
  /** The name that generated clients give the call. */
  readonly id: string;
  readonly summary: string;
  readonly takes?: z.ZodType;
  /** Of a body that is not JSON: its media type. */
  readonly takesBytes?: string;
  /** A body of JSON may be left out. */
  readonly takesNothing?: boolean;
  /** What may stand behind the `?`. */
  readonly query?: z.ZodObject;
  readonly answers: {
    readonly says: string;
    /** Absent where there is no body. */
    readonly type?: string;
    readonly schema?: z.ZodType;
    /** 200 unless told. */
    readonly status?: number;
    /** What 204 says, where that is an answer too. */
    readonly orNothing?: string;
  };
  /** Statuses of problems beyond those that every such route has. */
  readonly refuses?: readonly number[];
  handle(c: Context<Env>): Response | Promise<Response>;
};

/** Everything under `/v1` needs the token; the page, its description and its pulse do not. */
export const isSecured = (path: string): boolean => path.startsWith("/v1/");
