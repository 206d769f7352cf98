import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CsvRows, csvFormOf, MAX_ROW_CHARS } from './csv-rows'

const FORM = { delimiter: ',', newline: '\n' } as const

function read(pieces: string[], form: ConstructorParameters<typeof CsvRows>[0] = FORM) {
  const reader = new CsvRows(form)
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()]
}

test.each([
  [
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\r\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['a,,""\n', [['a', null, '']]],
  ['"a\r\nb",c\n', [['a\r\nb', 'c']]],
  ['"a ""b""",c\n', [['a "b"', 'c']]],
  ['5" disk,x\n', [['5" disk', 'x']]],
  [
    'a,"b"\r\n\r\n\nc,d\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['a,b,\n', [['a', 'b', null]]],
  ['"a",\n', [['a', null]]],
  ['', []],
])('%j', (text, rows) => {
  expect(read([text])).toEqual(rows)
})

test('lines may end with CR, cells be separated by others', () => {
  expect(csvFormOf('a;b\r1;2\r')).toEqual({ delimiter: ';', newline: '\r' })
  expect(read(['a;b\r"1\r";2\r'], { delimiter: ';', newline: '\r' })).toEqual([
    ['a', 'b'],
    ['1\r', '2'],
  ])
  expect(csvFormOf('a\tb, c\td\n').delimiter).toBe('\t')
  expect(csvFormOf('"a;b;c",d\n').delimiter).toBe(',')
  expect(csvFormOf('name\nAnn').delimiter).toBe(',')
})

const cell = fc.option(
  fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ', 'é', '😀') }),
)
const table = fc.array(fc.tuple(fc.constantFrom('x', 'y'), cell, cell))
const write = (text: string | null) => (text === null ? '' : `"${text.replaceAll('"', '""')}"`)

test('what was written is read, in whichever pieces it comes', () => {
  fc.assert(
    fc.property(
      table,
      fc.constantFrom('\n', '\r\n'),
      fc.integer({ min: 1, max: 7 }),
      (rows, end, size) => {
        const text = rows.map((cells) => cells.map(write).join(',') + end).join('')
        const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []
        expect(read(pieces)).toEqual(rows)
      },
    ),
  )
})

describe('faults name the line', () => {
  test.each([
    ['a\n"b\nc', 'Line 2: a quote that begins here is never closed'],
    ['a\nb\n"c" d\n', 'Line 3: text follows a closing quote'],
    ['a\n"b\nc"d\n', 'Line 3: text follows a closing quote'],
  ])('%j', (text, message) => {
    expect(() => read([text])).toThrow(message)
  })

  test('rows that do not end', () => {
    expect(() => read(['a\n', 'x'.repeat(MAX_ROW_CHARS + 1)])).toThrow('Line 2: is longer than')
    const long = `"${'x\n'.repeat(MAX_ROW_CHARS / 2)}`
    expect(() => read(['a\n', long, 'y'])).toThrow(
      'Line 2: a quote that begins here is never closed',
    )
  })
})
