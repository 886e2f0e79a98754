/** What a surface's palette shows: commands behind a `/`, mentions behind an `@`. */
import type { Pipeline } from "../pipeline/pipeline.ts";
import { CommandsAnswer, MentionsAnswer } from "./answers.ts";
import { CommandsQuery, checkedQuery, MentionsQuery } from "./requests.ts";
import type { Route } from "./route.ts";

const MOST_MENTIONS = 50;

export const palette = (pipeline: Pipeline): readonly Route[] => [
  {
    method: "GET",
    path: "/v1/commands",
    id: "commands",
    summary: "What can be typed behind a slash, where it comes from and what it takes",
    query: CommandsQuery,
    answers: { says: "The commands", type: "application/json", schema: CommandsAnswer },
    async handle(c) {
      const { q = "" } = checkedQuery(CommandsQuery, c.req.query());
      return Response.json(await pipeline.commands(q));
    },
  },
  {
    method: "GET",
    path: "/v1/mentions",
    id: "mentions",
    summary: "What can be mentioned behind an @: files, folders, skills, what the editor shows",
    query: MentionsQuery,
    answers: { says: "The best first", type: "application/json", schema: MentionsAnswer },
    async handle(c) {
      const { q = "", limit } = checkedQuery(MentionsQuery, c.req.query());
      const most = limit === undefined ? MOST_MENTIONS : Number(limit);
      return Response.json(await pipeline.mentions(q, most));
    },
  },
];
