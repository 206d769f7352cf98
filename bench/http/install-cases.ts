import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '@/lib/values/json'
import { makeReadings, partsOf, readingArchive } from '../reading-archive'
import type { Call, Case } from './cases'
import { archiveUpload } from './write-cases'

type Install = {
  name: string
  title: string
  records: number
  files: number
  /** Whether the records have no key in their file: the common form of a data file. */
  isKeyless: boolean
}

const keyed = { files: 1, isKeyless: false }
const keyless = { files: 1, isKeyless: true }
const INSTALLS: Install[] = [
  { ...keyed, name: 'install-10k', title: 'install 10,000 records', records: 10_000 },
  { ...keyed, name: 'install-100k', title: 'install 100,000 records', records: 100_000 },
  {
    ...keyless,
    name: 'install-10k-keyless',
    title: 'install 10,000 records without a key',
    records: 10_000,
  },
  {
    ...keyless,
    name: 'install-100k-keyless',
    title: 'install 100,000 records without a key',
    records: 100_000,
  },
  {
    ...keyless,
    name: 'install-small-files',
    title: 'install 400 files of 50 records without a key',
    records: 20_000,
    files: 400,
  },
]

/**
 * The installs that are wanted. `folder` receives their records as the bare server inserts them; `empty` removes all readings
 * from both tables.
 */
export async function installCases(
  isWanted: (name: string) => boolean,
  folder: string,
  empty: () => Promise<void>,
): Promise<Case[]> {
  mkdirSync(folder, { recursive: true })
  const cases: Case[] = []
  for (const { name, title, ...install } of INSTALLS.filter((one) => isWanted(one.name))) {
    const upload = await makeUpload(name, install, folder)
    const path = `${install.isKeyless ? '/copy' : '/install'}?name=${name}`
    const call = () => ({ engine: upload, bare: { ...upload, path } })
    cases.push({ name, title, call, equal: 'status', isSingle: true, prepare: empty })
  }
  return cases
}

async function makeUpload(
  name: string,
  { records, files, isKeyless }: Omit<Install, 'name' | 'title'>,
  folder: string,
): Promise<Call> {
  const readings = makeReadings(records)
  if (isKeyless) for (const reading of readings) delete reading.id
  const text = isKeyless ? readings.map(copyLine).join('') : JSON.stringify(readings)
  writeFileSync(join(folder, name), text)
  return archiveUpload(await readingArchive(partsOf(readings, files)))
}

/** A line of COPY's text format, in the order in which a reading has its fields. */
function copyLine(reading: JsonObject): string {
  const values = Object.values(reading).map((value) =>
    String(typeof value === 'object' ? JSON.stringify(value) : value).replaceAll('\\', '\\\\'),
  )
  return `${values.join('\t')}\n`
}
