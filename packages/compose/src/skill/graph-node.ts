/** The nodes of a composed subgraph by name: what interrupts and edges refer to. */
export const INPUT_NODE = "validate-input";
export const WORK_NODE = "work";
export const OUTPUT_NODE = "check-output";

export const FIXED_NODES: readonly string[] = [INPUT_NODE, WORK_NODE, OUTPUT_NODE];

export const stageNode = (stage: string): string => `stage:${stage}`;
