import type { Env } from '@/lib/env'
import { escapeVariablesInText, mayHoldPlaceholder } from './escape-variables'
import { SEPARATOR } from './record-lines'
import type { ZipEntry } from './zip-stream'

/** The data files of an entity, in an archive's folder of their own. */
export type DataFolder = {
  folder: string
  /** Its records may be in several files; not when they refer to each other. */
  splits: boolean
  /** The content of its manifest; `escapes`: texts of its records are escaped. */
  manifest: (escapes: boolean) => Uint8Array
}

type Limits = Pick<Env, 'MAX_ENTRY_BYTES' | 'MAX_RECORDS'>

/** Records of one entity that follow each other; `text` is Latin-1, which keeps the bytes. */
type Run = { at: number; text: string; records: number; escapes: boolean }

/**
 * The files of records that `exportLines` returns: a list with a record on each line, in several files
 * where one could not be installed. Each manifest follows its files, since it depends on them.
 */
export async function* dataFiles(
  chunks: AsyncIterable<Buffer>,
  folders: readonly DataFolder[],
  limits: Limits,
): AsyncGenerator<ZipEntry, void, void> {
  const runs = runsOf(chunks)
  try {
    let next = await runs.next()
    for (let part = 1, escapes = false; !next.done; ) {
      const { at } = next.value
      const { folder, splits, manifest } = folderAt(folders, at)
      const fits = fitter(splits, limits)

      async function* list() {
        let opening = '[\n'
        while (!next.done && next.value.at === at && fits(next.value)) {
          yield Buffer.from(opening + next.value.text, 'latin1')
          escapes ||= next.value.escapes
          opening = ',\n'
          next = await runs.next()
        }
        yield Buffer.from('\n]\n')
      }

      yield { path: `${folder}/${fileName(part)}`, chunks: list() }
      part++
      if (!next.done && next.value.at === at) continue
      yield { path: `${folder}/__manifest__.json`, chunks: [manifest(escapes)] }
      part = 1
      escapes = false
    }
  } finally {
    await runs.return()
  }
}

function folderAt(folders: readonly DataFolder[], at: number): DataFolder {
  const folder = folders[at]
  if (!folder) throw new Error(`The export has no entity ${at}`)
  return folder
}

/** By path the first is the first: it is the one that is copied into an empty table. */
const fileName = (part: number) =>
  part === 1 ? 'data.json' : `data.part${String(part).padStart(3, '0')}.json`

/** Whether a further run fits into the file; the first always does. */
function fitter(splits: boolean, { MAX_ENTRY_BYTES, MAX_RECORDS }: Limits) {
  let bytes = 0
  let records = 0
  return (run: Run): boolean => {
    const isFirst = records === 0
    bytes += run.text.length + 4
    records += run.records
    return isFirst || !splits || (bytes <= MAX_ENTRY_BYTES && records <= MAX_RECORDS)
  }
}

async function* runsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Run, void, void> {
  for await (const chunk of chunks) yield* runsIn(chunk.toString('latin1'))
}

/** A run begins its last line before this many characters. */
const RUN_CHARS = 64 * 1024

/** Of whole lines, each of which ends in a line break. */
function* runsIn(text: string): Generator<Run> {
  for (let from = 0; from < text.length; ) {
    const at = Number(text.slice(from, text.indexOf(SEPARATOR, from)))
    const prefix = `${at}${SEPARATOR}`
    const last = Math.max(from, text.lastIndexOf(`\n${prefix}`, from + RUN_CHARS) + 1)
    const end = text.indexOf('\n', last)
    const lines = text.slice(from + prefix.length, end)
    yield toRun(at, lines.split(`\n${prefix}`))
    from = end + 1
  }
}

function toRun(at: number, lines: string[]): Run {
  const escapes = lines.some(mayHoldPlaceholder)
  const records = escapes ? lines.map(escapeLine) : lines
  return { at, text: records.join(',\n'), records: lines.length, escapes }
}

function escapeLine(line: string): string {
  if (!mayHoldPlaceholder(line)) return line
  const text = Buffer.from(line, 'latin1').toString()
  return Buffer.from(escapeVariablesInText(text)).toString('latin1')
}
