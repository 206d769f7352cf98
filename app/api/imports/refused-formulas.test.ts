import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { CsvRows } from '@/lib/import/file/csv-rows'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { importsOfUser } from './testing/imports-api'

const deps = freshDeps()

beforeEach(() =>
  installTestEntity(deps, {
    entity: { name: 'Note' },
    schema: {
      properties: [
        { name: 'text', type: 'string' },
        { name: 'doc', type: 'json' },
        { name: 'list', type: 'array' },
        { name: 'size', type: 'integer' },
      ],
    },
  }),
)

const NAMES = ['id', 'text', 'doc', 'list', 'size', '=odd']
const MAPPING = Object.fromEntries(NAMES.map((name) => [name, name]))
const SENT = { entityName: 'Note', mapping: MAPPING }

/** What a spreadsheet would run, alone and inside, and what looks as if it had been made harmless. */
const TEXTS = [
  ...['=cmd()', '+49 30', '-5', '-5+1', '@x', '＝1', '\t=x', 'a;=1', 'x|@y', 'a\n=1'],
  ...["'=1+1", "a;'=1", "O'Neill", "'", '"=1"', 'plain'],
]
const DOCS = [
  ...[
    '-5',
    '{"a":"x;=1","n":1.10}',
    '"x|=1"',
    '=1',
    '[\n  -1,\n  "=1"\n]',
    'true',
    '12345678901234567890',
  ],
]
const LISTS = ['["a;=1"]', '[\t-1 ]']

const records = TEXTS.map((text, at) => ({
  ...{ id: String(at + 1), text, '=odd': text },
  ...{ doc: DOCS[at % DOCS.length], list: LISTS[at % 2] },
}))

const csvOf = (size: string, input = records) =>
  [NAMES, ...input.map((one) => NAMES.map((name) => ({ ...one, size })[name as 'id']))]
    .map((cells) => cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(','))
    .join('\n')

const stored = () => rows(deps.db, sql`select * from entities.note order by id`)

const cellsOf = (text: string) => {
  const reader = new CsvRows({ delimiter: ',', newline: '\n' })
  return [...reader.push(text.replace('\uFEFF', '')), ...reader.end()].flat()
}

const isRun = (cell: string | null) =>
  cell !== null && !/^[+-]?\d+$/.test(cell) && /^[-=+@\t\r\n＝]|[;|\t\r\n][ "]*[-=+@＝]/.test(cell)

/** The refused rows of a file, once nothing in them is run; and what they are stored as when they are corrected. */
async function corrected(file: string, fileName: string) {
  const mine = await importsOfUser(deps)
  const done = await mine.result(file, { ...SENT, fileName })
  expect(done).toMatchObject({ refused: TEXTS.length })
  const { text } = await mine.refused(done.id)
  expect(cellsOf(text).filter(isRun)).toEqual([])
  const again = await mine.result(text.replaceAll('no number', '7'), SENT)
  expect(again).toMatchObject({ created: TEXTS.length })
  return stored()
}

test('refused rows of a CSV run no formula, and are read as the values of the file', async () => {
  const mine = await importsOfUser(deps)
  expect(await mine.result(csvOf('7'), SENT)).toMatchObject({ created: TEXTS.length })
  const expected = await stored()
  await deps.db.execute(sql`delete from entities.note`)
  expect(await corrected(csvOf('no number'), 'n.csv')).toEqual(expected)
})

test('refused rows of JSON run no formula, and are read as the values of the file', async () => {
  const file = JSON.stringify(
    TEXTS.map((text, at) => ({
      ...{ id: at + 1, text, '=odd': text, size: 'no number' },
      ...{ doc: { text }, list: [text] },
    })),
  )
  expect(await corrected(file, 'n.json')).toMatchObject(
    TEXTS.map((text, at) => ({
      ...{ id: String(at + 1), text, doc: { text }, list: [text], $extra: { '=odd': text } },
    })),
  )
})
