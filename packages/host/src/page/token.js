/**
 * The token: it comes in the fragment of the address, which a browser sends to nobody, is kept for
 * this tab only and disappears from the address bar and its history.
 */

const KEY = "galley.token";

/** @returns {string | undefined} */
export function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem(KEY) ?? undefined;
}

/** @param {string} token */
export const keepToken = (token) => sessionStorage.setItem(KEY, token);

export const forgetToken = () => sessionStorage.removeItem(KEY);
