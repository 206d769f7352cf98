/** Focuses the value of a condition in the builder; where it takes none, its operator. */
export function focusValue(row: Element | null | undefined): void {
  const control =
    row?.querySelector<HTMLElement>('[data-value] :is(input, button):not([tabindex="-1"])') ??
    row?.querySelector<HTMLElement>('[aria-label="Operator"]')
  control?.focus()
  if (control instanceof HTMLInputElement && control.type === 'text') control.select()
}
