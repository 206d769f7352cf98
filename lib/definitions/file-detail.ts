import type { Json } from '@/lib/values/json'

/** A fault and where it is: `index` of the record, JSON `pointer` in it, or `line` and `column`. */
export type FileDetail = {
  index?: number
  pointer?: string
  line?: number
  column?: number
  key?: Json
  /** The offending value, shortened. */
  value?: Json
  message: string
}
