/** Show what went wrong with a request in the line for errors; hide the line if the text is empty. */
export function showError(text) {
  const line = document.getElementById("trouble");
  line.textContent = text;
  line.hidden = !text;
}
