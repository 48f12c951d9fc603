// Light or dark: what the reader's system prefers, until the button in the corner says otherwise.

const listeners = [];
const prefers = matchMedia("(prefers-color-scheme: dark)");
const printing = matchMedia("print");

export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : prefers.matches;
}

export function onTheme(hear) {
  listeners.push(hear);
}

function tell() {
  for (const hear of listeners) hear();
}

export function startTheme(button) {
  prefers.addEventListener("change", tell);
  printing.addEventListener("change", tell);
  if (!button) return;
  const label = () => {
    button.setAttribute("aria-label", isDark() ? "Light page" : "Dark page");
    button.textContent = isDark() ? "☀" : "☾";
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    tell();
  });
  listeners.push(label);
  label();
}
