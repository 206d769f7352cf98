import { turnGiver } from '@/lib/async/turns'
import { entityNameFault, propertyNameFault } from '@/lib/definitions/names'
import { AppError } from '@/lib/errors'
import type { JsonObject } from '@/lib/values/json'
import { REASON_COLUMN } from './columns/map-columns'
import { samplesOf } from './columns/record-maker'
import type { DefinitionProposal, ProposalQuery } from './contract'
import { firstRows, type Source } from './file/source'
import { openSource, refusedFile } from './open-import'
import { addRow, ColumnFacts } from './proposal/column-facts'

type Request = { path: string; fileName: string; query: ProposalQuery }

const MAX_ROWS = 20_000
/** Fewer rows of a wide file are read. */
const MAX_CELLS = 400_000
const MAX_BYTES = 32 * 1024 * 1024
const SAMPLED_ROWS = 100
/** As schemas have. */
const MAX_PROPERTIES = 1_000
const MAX_VALUES = 12

/**
 * A definition that fits the first rows of a file: names, types, lengths, what is required and a key. Throws `invalid_input` for a file
 * that can't be read.
 */
export async function proposeDefinition(request: Request): Promise<DefinitionProposal> {
  const { query, fileName } = request
  const source = await openSource({ ...request, query: { ...query, isCut: query.cut } })
  const columns = source.columns.filter((name) => name !== REASON_COLUMN)
  if (columns.length > MAX_PROPERTIES) throw new AppError('invalid_input', TOO_WIDE)
  const read = await readFacts(source).catch(refusedFile)
  const name = entityNameOf(fileName)
  const names = propertyNamesOf(columns)
  const found = columns.map((column, at) =>
    describe(column, names[at] as string, read.of(column), read.rows),
  )
  const key = keyOf(found)
  return {
    format: source.format,
    rows: read.rows,
    entity: { name, ...(key ? { pks: [key] } : {}) },
    schema: {
      ...{ name, additionalProperties: false },
      properties: found.map((one) => propertyOf(one, key?.key)),
    },
    columns: found.map(({ column, property, samples, filled, unique, values }) => ({
      ...{ column, property, samples, filled, unique, values },
    })),
  }
}

type ReadColumns = {
  rows: number
  of: (column: string) => { facts: ColumnFacts; samples: string[] }
}

/** What the values of the columns have in common. */
async function readFacts(source: Source): Promise<ReadColumns> {
  const { columns } = source
  const facts = columns.map(() => new ColumnFacts())
  const giveTurn = turnGiver()
  const limits = { rows: Math.ceil(MAX_CELLS / columns.length), bytes: MAX_BYTES }
  let [rows, samples]: [number, string[][] | null] = [0, null]
  for await (const batch of firstRows(source, {
    ...limits,
    rows: Math.min(MAX_ROWS, limits.rows),
  })) {
    if (batch.length > 0) samples ??= samplesOf(batch.slice(0, SAMPLED_ROWS), columns.map(unmapped))
    rows += batch.length
    for (const row of batch) {
      addRow(facts, columns, row)
      await giveTurn()
    }
  }
  const at = (column: string) => columns.indexOf(column)
  const of = (column: string) => ({
    ...{ facts: facts[at(column)] as ColumnFacts, samples: samples?.[at(column)] ?? [] },
  })
  return { rows, of }
}

const unmapped = (column: string) => ({ column, field: null, by: 'ignored', reason: null }) as const

type FoundColumn = DefinitionProposal['columns'][number] & { type: string; maxChars: number }

function describe(
  column: string,
  property: string,
  { facts, samples }: ReturnType<ReadColumns['of']>,
  rows: number,
): FoundColumn {
  const type = facts.type()
  const values = facts.values(MAX_VALUES)
  const isFew = type === 'string' && values !== null && facts.filled >= 2 * values.length
  return {
    ...{ column, property, samples, type, maxChars: facts.maxChars },
    filled: rows > 0 && facts.filled === rows,
    unique: facts.filled > 0 && facts.isUnique,
    values: isFew && values.length > 0 ? values : null,
  }
}

/** What is called like a key, is there in every row and never twice; null: the server makes one. */
function keyOf(columns: readonly FoundColumn[]) {
  const found = columns.find(
    ({ property, type, filled, unique, maxChars }) =>
      filled && unique && KEY.test(property) && KEY_TYPES.has(type) && maxChars <= MAX_KEY_CHARS,
  )
  if (!found) return null
  const { property: key, type } = found
  if (type !== 'integer') return { key, strategy: 'Fixed', type: 'string' }
  return { key, strategy: key.toLowerCase() === 'id' ? 'AutoIncrement' : 'Fixed', type: 'number' }
}

const KEY = /^(id|key|code|uuid|guid|sku|isbn|slug|number|no)$/i
const KEY_TYPES = new Set(['string', 'integer', 'uuid'])
const MAX_KEY_CHARS = 100

function propertyOf(
  { column, property: name, type, filled, maxChars }: FoundColumn,
  key?: string,
): JsonObject {
  const maxLength = LENGTHS.find((length) => type === 'string' && maxChars * 2 <= length)
  const property: JsonObject = { name, type: type === 'string' && !maxLength ? 'text' : type }
  if (column !== name) property.label = column
  if (filled && name !== key) property.required = true
  if (maxLength) property.maxLength = maxLength
  return property
}

/** Twice the longest text that was read has room. */
const LENGTHS = [50, 100, 255, 1_000]

const TOO_WIDE = `An entity has at most ${MAX_PROPERTIES.toLocaleString('en')} properties; take columns out of the file`

const MAX_CHARS = 50

/** A name of an entity from that of a file: `open orders.csv` → `OpenOrders`. */
function entityNameOf(fileName: string): string {
  const words = wordsOf(fileName.replace(/(\.[a-z0-9]{1,8})+$/i, ''))
  const name = words.map(capital).join('').slice(0, MAX_CHARS)
  return entityNameFault(name) === null ? name : `Imported${name}`.slice(0, MAX_CHARS)
}

/** A name of a property for each column, each once: `E-Mail address` → `eMailAddress`; names that are valid stay. */
function propertyNamesOf(columns: readonly string[]): string[] {
  const taken = new Set<string>()
  return columns.map((column) => {
    const plain = propertyNameFault(column) === null ? column : nameOf(column)
    let name = plain
    for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${plain}${count}`
    taken.add(name.toLowerCase())
    return name
  })
}

function nameOf(column: string): string {
  const [first = 'column', ...others] = wordsOf(column)
  const name = [first.toLowerCase(), ...others.map(capital)].join('').slice(0, MAX_CHARS)
  return propertyNameFault(name) === null ? name : `field${capital(name)}`
}

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
