import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { Actor } from '@/lib/auth/rights'
import { isMissing } from '@/lib/db/errors'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { takeSlot } from '@/lib/load/gates'
import {
  type DataFolder,
  dataFiles,
  type ExportedEntity,
  exportLines,
  versionsOf,
} from './data-files'
import { definitionFiles, fileNameOf, jsonFile } from './definition-files'
import { ESCAPE_VARIABLES } from './escape-variables'
import type { Selection } from './selection'

type Packing = {
  actor: Actor
  /** Stops the query. */
  signal: AbortSignal
  /** The entities of a selection whose records are exported. */
  recordsOf: (selection: Selection) => ExportedEntity[]
}

/** How often definitions may change between being read and being exported with their records. */
const MAX_ATTEMPTS = 5

/**
 * The archive of what `select` reads, as it is streamed; definitions and records are of the same
 * moment. Throws `unavailable` while too many exports are running; later errors are thrown by the result.
 */
export async function packPlugin(
  deps: Deps,
  select: () => Promise<Selection>,
  { actor, signal, recordsOf }: Packing,
): Promise<AsyncGenerator<Uint8Array, void, void>> {
  for (let attempt = 1; ; attempt++) {
    const selection = await select()
    const exported = recordsOf(selection)
    if (exported.length === 0) return zipStream(entriesOf(selection, [], null, deps))
    const lines = limitedLines(deps, exported, { actor, signal })
    if (await isOfNow(lines, exported))
      return ending(lines, zipStream(entriesOf(selection, exported, lines, deps)))
    await lines.return()
    if (attempt === MAX_ATTEMPTS)
      throw new AppError('unavailable', 'The definitions change all the time; try again', {
        retryAfter: 5,
      })
  }
}

type Lines = AsyncGenerator<Buffer, void, void>

async function* entriesOf(
  selection: Selection,
  exported: readonly ExportedEntity[],
  lines: Lines | null,
  { settings }: Deps,
): AsyncGenerator<ZipEntry, void, void> {
  yield* definitionFiles(selection)
  if (lines) yield* dataFiles(lines, exported.map(folderOf), settings)
}

const folderOf = ({ entity: { name, properties } }: ExportedEntity): DataFolder => ({
  folder: fileNameOf(name),
  splits: !properties.some(({ rules }) => rules.reference?.entity === name),
  manifest: (escapes) =>
    jsonFile({
      target: name,
      insertDuplicate: 'Upsert',
      ...(escapes ? { variables: ESCAPE_VARIABLES } : {}),
    }),
})

/**
 * Keeps its slot among the exports however slowly it is read, up to `EXPORT_TIMEOUT_MS`. Its first
 * value is the line of versions alone.
 */
async function* limitedLines(
  deps: Deps,
  exported: readonly ExportedEntity[],
  { actor, signal }: { actor: Actor; signal: AbortSignal },
): Lines {
  const leave = await takeSlot(deps, 'export', { actor, signal })
  try {
    const tooLong = AbortSignal.timeout(deps.settings.EXPORT_TIMEOUT_MS)
    const chunks = deps.copyOut(exportLines(exported), AbortSignal.any([signal, tooLong]))
    let isFirst = true
    for await (const chunk of chunks) {
      const end = isFirst ? chunk.indexOf('\n') + 1 : 0
      if (isFirst) yield chunk.subarray(0, end)
      isFirst = false
      if (end < chunk.length) yield chunk.subarray(end)
    }
  } finally {
    leave()
  }
}

/** Reads the line of versions; whether the definitions are those that the records have. */
async function isOfNow(lines: Lines, exported: readonly ExportedEntity[]): Promise<boolean> {
  try {
    const first = await lines.next()
    return !first.done && first.value.toString() === `${versionsOf(exported)}\n`
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/** Ends the query with the archive, even if nothing has been read from it yet. */
async function* ending(lines: Lines, chunks: AsyncIterable<Uint8Array>) {
  try {
    yield* chunks
  } finally {
    await lines.return()
  }
}

/** A file of an archive; `chunks` are read once, before the next file is asked for. */
export type ZipEntry = { path: string; chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array> }

/** The same for all files, so that equal contents make equal archives. */
const OPTIONS = {
  mtime: new Date('1980-01-01T00:00:00Z'),
  mode: 0o100644,
  compress: true,
  forceDosTimestamp: true,
}

/**
 * A ZIP of files that are made one after the other while it is read, with constant memory. Ending the
 * iteration ends that of `entries`.
 */
async function* zipStream(
  entries: AsyncIterable<ZipEntry>,
): AsyncGenerator<Uint8Array, void, void> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  let current: Readable | undefined
  const fail = (error: unknown) => output.destroy(error as Error)
  zip.on('error', fail)

  async function feed() {
    for await (const { path, chunks } of entries) {
      if (output.destroyed) return
      current = Readable.from(chunks, { objectMode: false })
      zip.addReadStream(current, path, OPTIONS)
      await finished(current)
    }
    zip.end()
  }

  const feeding = feed().catch(fail)
  try {
    for await (const chunk of output) yield chunk as Uint8Array
  } finally {
    output.destroy()
    current?.destroy()
    await feeding
  }
}
