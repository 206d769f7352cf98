import type { ImportRow } from '@/lib/db/schema'
import type { Encoding } from './read-text'

/** What is said of a file; the rest is told by its name and its beginning. */
export type FileForm = {
  format?: ImportRow['format'] | undefined
  encoding?: Encoding | undefined
  delimiter?: string | undefined
  sheet?: string | undefined
  /** It is the beginning of a longer one. */
  isCut?: boolean
}
