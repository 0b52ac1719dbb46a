/** Whether a key belongs to an input method. Safari ends a composition before it tells of the key: 229 is the sign. */
export function isComposed(event: KeyboardEvent): boolean {
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else tells of it
  return event.isComposing || event.keyCode === 229
}
