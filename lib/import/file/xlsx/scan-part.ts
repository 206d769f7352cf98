import { currentBudget } from '@/lib/db/budget'
import { requireBudget } from '@/lib/db/give-up'
import type { ZipEntry } from '@/lib/plugins/read-zip-directory'
import { encodingOf } from '../read-text'
import { bookFault } from './book-fault'
import type { BookParts } from './book-parts'
import { partBytes } from './part-bytes'
import { type XmlEvents, XmlScanner } from './xml-scanner'

/** Of a sheet it may be a hundred rows whose only cell is the last one of a wide table. */
const PIECE_CHARS = 4 * 1024

/**
 * Scans a part in memory that does not depend on its size, and waits after each piece of it. `onBytes` gets the number of its
 * packed bytes read so far. Throws `FileFault`, and at the end of the current budget.
 */
export async function* scanPart(
  { path }: BookParts,
  entry: ZipEntry,
  events: XmlEvents,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<void> {
  const scanner = new XmlScanner(entry.path, events)
  for await (const text of partText(path, entry, onBytes)) {
    requireBudget(currentBudget())
    for (let from = 0; from < text.length; from += PIECE_CHARS) {
      scanner.push(text.slice(from, from + PIECE_CHARS))
      yield
    }
  }
  scanner.end()
}

/** Scans a whole part. Throws as `scanPart` does. */
export async function readPart(book: BookParts, entry: ZipEntry, events: XmlEvents): Promise<void> {
  for await (const _ of scanPart(book, entry, events));
}

async function* partText(path: string, entry: ZipEntry, onBytes: (bytes: number) => void) {
  let decoder: TextDecoder | undefined
  try {
    let isAfterReturn = false
    for await (const bytes of partBytes(path, entry, onBytes)) {
      decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true })
      const text = decoder.decode(bytes, { stream: true })
      yield withLineFeeds(isAfterReturn && text.startsWith('\n') ? text.slice(1) : text)
      if (text !== '') isAfterReturn = text.endsWith('\r')
    }
    yield decoder?.decode() ?? ''
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error
    throw bookFault(`"${entry.path}" is not valid UTF-8`)
  }
}

/** In XML every end of a line is a line feed, unless it is written as an entity (XML 1.0, 2.11). */
const withLineFeeds = (text: string): string =>
  text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
