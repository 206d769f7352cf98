import type { FilterField } from '../field'

/** What the control of one value gets. `label` names it: `Value`, or `From` and `To` of a range. */
export type InputProps = {
  field: FilterField
  label: string
  value: unknown
  onChange: (value: unknown) => void
}
