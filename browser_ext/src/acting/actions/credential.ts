/** Whether the owner would choose a new password in this field. */
export function isNewPassword(field: Element): boolean {
  return /\bnew-password\b/i.test(field.getAttribute('autocomplete') ?? '')
}
