export { SendError, type SendInput, send } from "./send.ts";
