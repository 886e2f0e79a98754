/** A reason to stop that the person can act on: shown as one line, exit code 1, no stack trace. */
export class Refusal extends Error {}
