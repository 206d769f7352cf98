import type { RecordContents } from '@/lib/plugins/content/record-content'
import { type Encode, withPosition } from '@/lib/rows/json-chunks'
import { CONTENT_COLUMN, ORDINAL_COLUMN } from '@/lib/rows/record-columns'

/** Encodes rows with their positions and, of those that the file gives no key, with their contents. */
export function contentEncoder(encode: Encode, contents: RecordContents): Encode {
  const positioned = withPosition(encode)
  if (contents.size === 0) return positioned
  return (row) => {
    const content = contents.get(row.index)
    if (!content) return positioned(row)
    const { digest, ordinal } = content
    return `{"${CONTENT_COLUMN}":"${digest}","${ORDINAL_COLUMN}":${ordinal},${positioned(row).slice(1)}`
  }
}
