import { openParts } from './book-parts'
import { readDateFormats } from './date-formats'
import { findSheet } from './find-sheet'
import { scanPart } from './scan-part'
import { readSharedTexts } from './shared-texts'
import { type SheetRow, SheetRows } from './sheet-rows'

const BATCH_ROWS = 1_000
const BATCH_CHARS = 512 * 1024
/** Texts of a batch keep their pieces in memory. */
const BATCH_PIECES = 256

/**
 * The rows of one sheet that are not blank, in batches; by default of the first. None when there is no such sheet. `onBytes` gets the
 * number of its packed bytes read so far. Throws `FileFault`, and at the end of the current budget.
 */
export async function* readSheet(
  path: string,
  wanted: string | undefined,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<SheetRow[]> {
  const book = await openParts(path)
  const found = await findSheet(book, wanted)
  if (!found) return
  const context = {
    sharedTexts: found.sharedTexts && (await readSharedTexts(book, found.sharedTexts)),
    dateFormats: found.styles ? await readDateFormats(book, found.styles) : [],
    isFrom1904: found.isFrom1904,
  }
  const rows = new SheetRows(context, found.sheet.packedBytes)
  let pieces = 0
  for await (const _ of scanPart(book, found.sheet, rows, onBytes)) {
    pieces++
    if (rows.count < BATCH_ROWS && rows.chars < BATCH_CHARS && pieces < BATCH_PIECES) continue
    pieces = 0
    while (rows.count > 0) yield rows.take(BATCH_CHARS)
  }
  while (rows.count > 0) yield rows.take(BATCH_CHARS)
}
