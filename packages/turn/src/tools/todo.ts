/**
 * The model's list of what is to be done. Each call gives the whole list and replaces the one
 * before; the result repeats it, so the transcript is where it is kept and a rewind takes it back.
 */
import type { Tool, ToolOutput } from "../tool.ts";

export const TODO_STATES = ["pending", "in_progress", "completed"] as const;
export type TodoState = (typeof TODO_STATES)[number];
export type TodoItem = { readonly content: string; readonly status: TodoState };

export type TodoList = {
  readonly todos: readonly TodoItem[];
  /** Advice to the model; the list is taken as it is. */
  readonly note?: string;
};

const MOST_ITEMS = 200;
const LONGEST = 1000;

export const todoTool: Tool = {
  definition: {
    name: "todo",
    description:
      "Writes down the steps of the work at hand, for you and for the person who watches. Give the whole list each time: it replaces the last one, and what is not in it is gone. Use it for work of several steps, when a step begins and as soon as it is done; keep one step in_progress at a time. Not for a single simple step, and not a place for notes: it does nothing but show the list.",
    input_schema: {
      type: "object",
      properties: {
        todos: {
          type: "array",
          description: "Every step, in the order in which they are to be done; empty clears it.",
          maxItems: MOST_ITEMS,
          items: {
            type: "object",
            properties: {
              content: {
                type: "string",
                description: "What is to be done, in one line.",
                minLength: 1,
                maxLength: LONGEST,
              },
              status: { type: "string", enum: TODO_STATES },
            },
            required: ["content", "status"],
            additionalProperties: false,
          },
        },
      },
      required: ["todos"],
      additionalProperties: false,
    },
  },
  run: async (input) => keep(input),
};

function keep(input: unknown): ToolOutput {
  const given = isObject(input) ? input.todos : undefined;
  if (!Array.isArray(given)) return refuse("give the whole list as `todos`");
  if (given.length > MOST_ITEMS) return refuse(`a list has at most ${MOST_ITEMS} steps`);
  const todos: TodoItem[] = [];
  for (const [nth, item] of given.entries()) {
    const read = readItem(item);
    if (typeof read === "string") return refuse(`step ${nth + 1}: ${read}`);
    todos.push(read);
  }
  const begun = todos.filter(({ status }) => status === "in_progress").length;
  const note = begun > 1 ? `${begun} steps are in_progress: one at a time is easier to follow` : "";
  return { type: "output", data: { todos, ...(note && { note }) } satisfies TodoList };
}

function readItem(item: unknown): TodoItem | string {
  if (!isObject(item)) return "it is not an object with `content` and `status`";
  const { content } = item;
  if (typeof content !== "string" || content.trim() === "") return "its `content` is empty";
  if (content.length > LONGEST) return `its \`content\` is longer than ${LONGEST} characters`;
  const status = TODO_STATES.find((state) => state === item.status);
  return status ? { content, status } : `its \`status\` is not one of ${TODO_STATES.join(", ")}`;
}

const refuse = (reason: string): ToolOutput => ({
  type: "error",
  error_text: `the list was not changed: ${reason}`,
});

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
