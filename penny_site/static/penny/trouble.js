// The one line that says what went wrong with a request. Empty text takes it away.
export function trouble(text) {
  const line = document.getElementById("trouble");
  line.textContent = text;
  line.hidden = !text;
}
