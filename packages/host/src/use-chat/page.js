/**
 * A page as somebody who knows the AI SDK and nothing of Galley would write it: `useChat` and its
 * default transport, unmodified. Stopping asks the host too, because leaving a stream does not end it.
 */
import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport } from "ai";
import { createElement as h, useState } from "react";
import { createRoot } from "react-dom/client";

const { id, token } = Object.fromEntries(new URLSearchParams(location.search));
const headers = { authorization: `Bearer ${token}` };

const textOf = (message) =>
  message.parts.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("");

function Chat({ messages: earlier }) {
  const [input, setInput] = useState("");
  const { messages, sendMessage, status, stop, error, regenerate } = useChat({
    id,
    messages: earlier,
    resume: true,
    transport: new DefaultChatTransport({ api: "/v1/chat", headers }),
  });
  const send = (event) => {
    event.preventDefault();
    void sendMessage({ text: input });
    setInput("");
  };
  const halt = async () => {
    await fetch(`/v1/chat/${id}/stop`, { method: "POST", headers });
    await stop();
  };
  return h(
    "main",
    null,
    messages.map((message) =>
      h("p", { key: message.id, className: message.role, id: message.id }, textOf(message)),
    ),
    h("output", null, status),
    h("pre", null, error?.message ?? ""),
    h(
      "form",
      { onSubmit: send },
      h("input", { value: input, onChange: (event) => setInput(event.target.value) }),
      h("button", { id: "send", type: "submit" }, "Send"),
      h("button", { id: "stop", type: "button", onClick: () => void halt() }, "Stop"),
      h("button", { id: "again", type: "button", onClick: () => void regenerate() }, "Again"),
    ),
  );
}

const before = await fetch(`/v1/chat/${id}`, { headers });
const { messages = [] } = before.ok ? await before.json() : {};
createRoot(document.body.appendChild(document.createElement("div"))).render(h(Chat, { messages }));
