import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import JSZip from 'jszip'
import type { Call } from '../http/cases'
import { archiveUpload } from '../http/write-cases'
import { makeReading, READING_FILES } from '../reading-archive'

/** Of one archive, so that its text stays below 200 MB. */
export const RECORDS_AN_ARCHIVE = 1_000_000

const DEFINITIONS = {
  ...READING_FILES,
  'EngineEntities/Reading.json': { name: 'Reading', distribution: { by: 'id' } },
}

/**
 * Writes the archive `<path>` of a plugin that defines readings, distributed by their key, and holds `count` of them,
 * numbered from `from`.
 */
export async function writeReadings(path: string, from: number, count: number): Promise<void> {
  const texts: string[] = []
  for (let index = from; index < from + count; index++)
    texts.push(JSON.stringify(makeReading(index)))
  const part = from / RECORDS_AN_ARCHIVE + 1
  const zip = new JSZip()
  for (const [name, content] of Object.entries(DEFINITIONS)) zip.file(name, JSON.stringify(content))
  zip.file(
    'engineplugin.json',
    JSON.stringify({ id: `com.example.bench${part}`, name: `Bench ${part}`, version: '1.0.0' }),
  )
  zip.file('Reading/__manifest__.json', JSON.stringify({ target: 'Reading' }))
  zip.file(`Reading/part-${part}.json`, `[\n${texts.join(',\n')}\n]\n`)
  const packed = zip.generateNodeStream({
    compression: 'DEFLATE',
    compressionOptions: { level: 1 },
  })
  await pipeline(packed, createWriteStream(path))
}

export const uploadOfFile = async (path: string): Promise<Call> =>
  archiveUpload(new Uint8Array(await readFile(path)))
