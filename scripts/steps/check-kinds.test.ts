import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { checkKinds } from './check-kinds.mjs'

const ROOT = join(import.meta.dirname, '../..')
const LIST = 'lib/kinds/kind.ts'

function faultsOf(text: string): string[] {
  const root = mkdtempSync(join(tmpdir(), 'kinds-'))
  const files = { [LIST]: readFileSync(join(ROOT, LIST), 'utf8'), 'lib/some.ts': text }
  for (const folder of ['app', 'components']) mkdirSync(join(root, folder))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  return checkKinds(root)
}

test('no file but those of kinds branches on them', () => {
  expect(checkKinds(ROOT)).toEqual([])
})

test.each([
  "if (kind === 'date') return null",
  "return field.kind !== 'duration'",
  "switch (column.kind) {\n  case 'text':",
  "['json', 'array'].includes(property.kind)",
  "const NAMES: Record<Property['kind'], string> = {}",
  "import type { Kind } from '@/lib/kinds/kind'\nconst TIMES = new Set<Kind>()",
  "import type { Kind } from '@/lib/kinds/kind'\nconst WIDTHS: Record<Kind, number> = {}",
])('%s is refused', (text) => {
  expect(faultsOf(text)).toHaveLength(1)
})

test.each([
  "column('createdAt', 'datetime')",
  "{ name, type: 'string', kind: 'text' }",
  "if (kind === 'plugin') return null",
  'const GATES: Record<Kind, Gate> = {}',
  "KINDS[kind].words('')",
])('%s is not', (text) => {
  expect(faultsOf(text)).toEqual([])
})
