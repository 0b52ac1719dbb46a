// The box takes the focus when it appears, unless the owner is elsewhere: in the sidebar, or on another part of the
// page.
function focusBox() {
  const isHere = document.hasFocus() && document.activeElement === document.body
  if (isHere) document.getElementById('first-preference')?.focus()
}
document.addEventListener('htmx:afterSettle', focusBox)
focusBox()
