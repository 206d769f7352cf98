import type { FilterField } from '../field'

/** What the control of one value gets. `label` names it: `Value`, or `From` and `To` of a range. */
export type InputProps = {
  field: FilterField
  label: string
  value: unknown
  onChange: (value: unknown) => void
  /** The value does not fit; the text with this id says why. */
  faultId?: string
}

/** What ties a control to the text that says why its value does not fit. */
export const faultProps = (faultId?: string) =>
  faultId ? { 'aria-invalid': true, 'aria-describedby': faultId } : {}
