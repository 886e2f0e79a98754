/**
 * A message that shows the point at one glance: words, a range of a file, an image that models take
 * and a file that they do not. It may well refer to a file that is not there: that shows, too.
 */

/** @import { Draft } from "./draft.js" */

/** Six bands of colour, 48 by 32. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAADAAAAAgCAIAAADbtmxLAAAAUElEQVR42u3OIRGAMAAF0IVB7JA75HpQAI0mBRmmECRB" +
  "k4gCX6Pe3QvwyrRe0Xyc0TK26Bk1evcW3a1HRUhISEhISEhISEhISEhISEjoz9AHm9KjaoH3mlEAAAAASUVORK5CYII=";

/** The first bytes of a Photoshop file. */
const PSD = "OEJQUwABAAAAAAAAAAMAAAABAAAAAQAIAAM=";

/** @type {Draft} */
export const EXAMPLE = {
  text: "Does this palette follow the notes at the top of the readme?\nThe layered original is attached as well.",
  refs: ["README.md:1-12"],
  attachments: [
    { type: "file-attachment", name: "palette.png", mime: "image/png", size: 137, data: PNG },
    {
      type: "file-attachment",
      name: "palette.psd",
      mime: "image/vnd.adobe.photoshop",
      size: 26,
      data: PSD,
    },
  ],
};
