/**
 * The tool with which a model asks the person. The call is a durable wait: it stays open until
 * somebody answers or dismisses it, and nothing runs here.
 */
import type { Tool } from "../tool.ts";

export const questionTool: Tool = {
  definition: {
    name: "question",
    description:
      "Asks the person one or more questions and waits for the answers, for as long as it takes. Use it when a decision is theirs to make and the work cannot go on well without it. Not for what you can find out with the other tools, not to report progress, and not to ask leave for a single call: permission is asked for by itself. The result has one list of answers for each question, in order; a person may always answer in words of their own.",
    input_schema: {
      type: "object",
      properties: {
        questions: {
          type: "array",
          description: "Asked together, so that the person is interrupted once.",
          minItems: 1,
          maxItems: 8,
          items: {
            type: "object",
            properties: {
              question: {
                type: "string",
                description: "The whole question, to be understood without the conversation.",
                minLength: 1,
                maxLength: 2000,
              },
              header: {
                type: "string",
                description: "A word or two that name the matter.",
                maxLength: 40,
              },
              options: {
                type: "array",
                description: "Answers to choose from; without it the answer is free text.",
                minItems: 2,
                maxItems: 12,
                items: {
                  type: "object",
                  properties: {
                    label: {
                      type: "string",
                      description: "What is chosen; it comes back as the answer.",
                      minLength: 1,
                      maxLength: 200,
                    },
                    description: {
                      type: "string",
                      description: "What choosing it means.",
                      maxLength: 1000,
                    },
                  },
                  required: ["label"],
                  additionalProperties: false,
                },
              },
              multi_select: {
                type: "boolean",
                description: "Whether more than one option may be chosen; false unless said.",
              },
            },
            required: ["question"],
            additionalProperties: false,
          },
        },
      },
      required: ["questions"],
      additionalProperties: false,
    },
  },
  waits: "question",
  // A host that comes here has nobody to ask.
  run: async () => ({ type: "error", error_text: NOBODY_ANSWERS }),
};

/** What a model is told where no person is there. */
export const NOBODY_ANSWERS =
  "there is nobody to answer: this host runs without a person; decide by what you know, and say what you assumed";
