import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import JSZip from 'jszip'
import { makeReading, READING_FILES } from '../reading-archive'

/** Of this many records, one differs between the versions. */
const CHANGED_ONE_IN = 100

export type Version = 1 | 2 | 3

/**
 * Writes the records of a version as `<path>.json`, and as the archive `<path>.zip` of a plugin. In the second version one of a
 * hundred has another value and note; the third is the first one without keys, as data files mostly are.
 */
export async function writeVersion(path: string, version: Version, count: number): Promise<void> {
  const texts: string[] = []
  for (let index = 0; index < count; index++) {
    const reading = makeReading(index)
    if (version === 3) delete reading.id
    const isChanged = version === 2 && index % CHANGED_ONE_IN === 0
    texts.push(JSON.stringify(isChanged ? { ...reading, value: -1.5, note: 'corrected' } : reading))
  }
  const text = `[\n${texts.join(',\n')}\n]\n`
  await writeFile(`${path}.json`, text)
  const zip = new JSZip()
  for (const [name, content] of Object.entries(READING_FILES))
    zip.file(name, JSON.stringify(content))
  zip.file(
    'engineplugin.json',
    JSON.stringify({ id: 'com.example.bench', name: 'Bench', version: `${version}.0.0` }),
  )
  zip.file(
    'Reading/__manifest__.json',
    JSON.stringify({ target: 'Reading', insertDuplicate: 'Upsert' }),
  )
  zip.file('Reading/data.json', text)
  const packed = zip.generateNodeStream({
    compression: 'DEFLATE',
    compressionOptions: { level: 1 },
  })
  await pipeline(packed, createWriteStream(`${path}.zip`))
}
