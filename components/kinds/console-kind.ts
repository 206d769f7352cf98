/** `isNumbering`: it numbers things rather than counts them. Without `timeZone` times are the reader's. */
type Formatting = { isNumbering: boolean; timeZone?: string }

/** How values are typed in filters and forms, of which `value-forms.ts` has all. */
export type ValueForm =
  | 'text'
  | 'object'
  | 'list'
  | 'json'
  | 'flag'
  | 'number'
  | 'day'
  | 'instant'
  | 'time of day'
  | 'duration'
  | 'location'

/** All that the console needs to show fields of a kind; where a component is named, a map beside the component has it. */
export type ConsoleKind = {
  /** A value in words. Nothing is rounded; what does not fit stays as it is. */
  format: (text: string, how: Formatting) => string
  cell: 'boolean' | 'time' | 'nested' | 'text' | 'number' | 'words'
  /** Of a column of the table, in pixels. */
  width: number
  /** A day or an instant, which may be relative to now, as people write in words: `7 days ago`. */
  moment: 'day' | 'instant' | null
  form: ValueForm
  /** The types that are offered for a new property. */
  types: readonly string[]
}
