/** What only the command line refuses. */
import { defineErrors } from "@galley/parts";
import { plainName } from "@galley/shape";

export const CliError = defineErrors("cli", {
  nothing_sent: (data: { session?: string }) =>
    data.session === undefined
      ? "there is no session yet: galley send begins one"
      : `nothing has been sent in ${plainName(data.session)} yet`,
  export_too_large: (data: { name: string; limit: number }) =>
    `${plainName(data.name)} is larger than the ${data.limit} bytes that one import can hold: export it without blobs`,
});
