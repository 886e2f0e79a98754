/** The model's view, one step before it is provider-native. */

export type TextBlock = {
  readonly type: "text";
  readonly text: string;
  /** The provider's own record of an answer that it gave earlier. */
  readonly metadata?: Readonly<Record<string, unknown>>;
};

export type MediaBlock = {
  readonly type: "media";
  readonly mime: string;
  readonly base64: string;
  readonly name?: string;
};

/** Reasoning that the provider signed; what is unsigned never becomes a block. */
export type ReasoningBlock = {
  readonly type: "reasoning";
  readonly text: string;
  /** The provider's own record of it, as it came in the stream. */
  readonly signed: Readonly<Record<string, unknown>>;
};

export type ToolCallBlock = {
  readonly type: "tool-call";
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly metadata?: Readonly<Record<string, unknown>>;
};

export type ToolResultBlock = {
  readonly type: "tool-result";
  readonly id: string;
  readonly name: string;
  readonly content: readonly (TextBlock | MediaBlock)[];
  readonly isError: boolean;
};

export type Block = TextBlock | MediaBlock | ReasoningBlock | ToolCallBlock | ToolResultBlock;
export type UserBlock = TextBlock | MediaBlock;
export type AnswerBlock = TextBlock | MediaBlock | ReasoningBlock | ToolCallBlock;

/** A block and the index of the part it came from; undefined for what we add ourselves. */
export type Origin<B extends Block = Block> = {
  readonly part: number | undefined;
  readonly block: B;
};
