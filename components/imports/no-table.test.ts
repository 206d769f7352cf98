import { expect, test } from 'vitest'
import { zip } from '@/lib/testing/zip'
import { requireTable } from './no-table'

const bytes = (...list: number[]) => new Uint8Array(list)
const faultOf = (content: string | Uint8Array) =>
  requireTable(new Blob([content as Uint8Array<ArrayBuffer>])).then(
    () => null,
    (error: Error) => error.message,
  )
const text = (content: string) => new TextEncoder().encode(content)

test('an empty file is said to be empty', async () => {
  expect(await faultOf('')).toBe('The file is empty')
})

test.each([
  ['PNG', bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13)],
  ['JPEG', bytes(0xff, 0xd8, 0xff, 0xe0, 0, 16)],
  ['PDF', text('%PDF-1.7\n%äüöß\n')],
  ['gzip', bytes(0x1f, 0x8b, 8, 8)],
  ['SVG', text('<?xml version="1.0"?>\n<svg/>')],
  ['a page', text('\n<!DOCTYPE html><p>Sign in</p>')],
  ['a ZIP of other files', zip([{ name: 'data.csv', content: 'a\n1\n' }])],
  ['a document', zip([{ name: '[Content_Types].xml' }, { name: 'word/document.xml' }])],
])('%s is no table', async (_, content) => {
  expect(await faultOf(content)).toBe('This is not a CSV, XLSX, JSON or JSON Lines file')
})

test.each([
  ['CSV', text('name,age\nAnn,3\n')],
  ['CSV of Windows-1252', bytes(0x6e, 0x0a, 0x4a, 0xf6, 0x72, 0x67)],
  ['UTF-16', bytes(0xff, 0xfe, 0x6e, 0, 0x0a, 0)],
  ['JSON with a mark', text('\ufeff[{"a": 1}]')],
  ['text that begins like another format', text('PK,name\n1,Ann\n')],
  ['a workbook', zip([{ name: '[Content_Types].xml' }, { name: 'xl/workbook.xml' }])],
  ['a workbook that is cut off', bytes(0x50, 0x4b, 3, 4, 0, 0)],
  ['old Excel', bytes(0xd0, 0xcf, 0x11, 0xe0, 0, 0)],
])('%s is left to the server', async (_, content) => {
  expect(await faultOf(content)).toBeNull()
})
