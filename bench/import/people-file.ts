import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

/** The entity that the file is for; its key is generated. */
export const ENTITY = { name: 'Member' }
export const SCHEMA = {
  name: 'Member',
  additionalProperties: false,
  properties: [
    { name: 'name', type: 'string', required: true, maxLength: 100 },
    { name: 'email', type: 'email', unique: true },
    { name: 'age', type: 'integer', min: 0, max: 150 },
    { name: 'balance', type: 'decimal' },
    { name: 'active', type: 'boolean' },
    { name: 'joined', type: 'date' },
    { name: 'seen', type: 'datetime' },
    { name: 'level', type: 'string', enum: ['bronze', 'silver', 'gold'] },
  ],
}
export const FIELDS = SCHEMA.properties.map(({ name }) => `"${name}"`).join(', ')

const LEVELS = ['bronze', 'silver', 'gold']
const DAY_MS = 86_400_000
const BATCH = 10_000

/** Writes `rows` rows of CSV with eight columns. */
export async function writePeople(path: string, rows: number): Promise<void> {
  const file = createWriteStream(path)
  file.write(`${SCHEMA.properties.map(({ name }) => name).join()}\n`)
  for (let first = 0; first < rows; first += BATCH) {
    const count = Math.min(BATCH, rows - first)
    const text = Array.from({ length: count }, (_, at) => line(first + at)).join('')
    if (!file.write(text)) await once(file, 'drain')
  }
  file.end()
  await finished(file)
}

function line(n: number): string {
  const at = new Date(Date.UTC(2000, 0, 1) + (n % 9_000) * DAY_MS).toISOString()
  const balance = `${n % 5_000}.${String(n % 100).padStart(2, '0')}`
  const name = `"Person ${n}, ${LEVELS[n % 3]}"`
  return `${name},person${n}@example.com,${n % 100},${balance},${n % 2 === 0},${at.slice(0, 10)},${at},${LEVELS[n % 3]}\n`
}
